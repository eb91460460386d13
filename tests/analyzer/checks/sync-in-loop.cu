// Explicit waits in loops that feed the device: every kind, and where a wait is none.
#include <cuda.h>
#include <cuda_runtime.h>
#include <cstdio>

__global__ void forward(float* x, int n);
__global__ void update(float* x, int n);

void device_wait(float* x, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    forward<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-high {{the host waits for the device (cudaDeviceSynchronize)}} [sync-in-loop]
    update<<<1, 256>>>(x, n);
  }
}

void stream_wait(float* x, int n, int steps, cudaStream_t stream) {
  int step = 0;
  while (step < steps) {
    forward<<<1, 256, 0, stream>>>(x, n);
    cudaStreamSynchronize(stream);  // expect-high {{the host waits for a stream}} [sync-in-loop]
    ++step;
  }
}

void event_wait(float* x, int n, int steps, cudaStream_t stream, cudaEvent_t done) {
  int step = 0;
  do {
    forward<<<1, 256, 0, stream>>>(x, n);
    cudaEventRecord(done, stream);
    cudaEventSynchronize(done);  // expect-high {{the host waits for an event}} [sync-in-loop]
  } while (++step < steps);
}

void driver_waits(CUfunction kernel, void** arguments, CUstream stream, int steps) {
  for (int step = 0; step < steps; ++step) {
    cuLaunchKernel(kernel, 1, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr);
    cuStreamSynchronize(stream);  // expect-high {{cuStreamSynchronize}} [sync-in-loop]
    cuLaunchKernel(kernel, 1, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr);
    cuCtxSynchronize();  // expect-high {{cuCtxSynchronize}} [sync-in-loop]
  }
}

// What stands between the wait and the next launch is told.
void exposed(float* x, float* batch, int n, int steps, FILE* data) {
  for (int step = 0; step < steps; ++step) {
    forward<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-high {{reads data ('fread')}} [sync-in-loop]
    fread(batch, sizeof(float), n, data);
    update<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-high {{prints or logs ('printf')}} [sync-in-loop]
    printf("step %d\n", step);
  }
}

void inner_loop(float* x, int n, int epochs, int batches) {
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (int batch = 0; batch < batches; ++batch) {
      forward<<<1, 256>>>(x, n);
      update<<<1, 256>>>(x, n);
      cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    }
  }
}

void for_ever(float* x, int n) {
  for (;;) {
    forward<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

void by_function(float* x, int n, int steps) {
  void* arguments[] = {&x, &n};
  for (int step = 0; step < steps; ++step) {
    cudaLaunchKernel((const void*)forward, dim3(1), dim3(256), arguments, 0, 0);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

// A loop that feeds nothing waits for others' work: no training loop.
int devices_idle(int devices) {
  for (int d = 0; d < devices; ++d) {
    cudaSetDevice(d);
    cudaDeviceSynchronize();
  }
  return devices;
}

// No loop at all, before, after.
void once(float* x, int n, int steps) {
  forward<<<1, 256>>>(x, n);
  cudaDeviceSynchronize();
  for (int step = 0; step < steps; ++step) {
    forward<<<1, 256>>>(x, n);
    update<<<1, 256>>>(x, n);
  }
  cudaDeviceSynchronize();
  printf("done\n");
}

// The device waits, not the host.
void on_the_device(float* x, int n, int steps, cudaStream_t a, cudaStream_t b, cudaEvent_t done) {
  for (int step = 0; step < steps; ++step) {
    forward<<<1, 256, 0, a>>>(x, n);
    cudaEventRecord(done, a);
    cudaStreamWaitEvent(b, done, 0);
    update<<<1, 256, 0, b>>>(x, n);
  }
}
