// Copies across the bus that hold the host, and copies that do not.
#include <cuda_runtime.h>
#include <cstdlib>

__global__ void k(float* x, int n);
__constant__ float coefficients[1024];
__device__ float table[4096];

void kinds(float* host, float* x, float* y, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    cudaMemcpy(x, host, n * sizeof(float), cudaMemcpyHostToDevice);  // expect-high {{to the GPU}} [blocking-copy-in-loop]
    k<<<1, 256>>>(x, n);
    cudaMemcpy(host, x, n * sizeof(float), cudaMemcpyDeviceToHost);  // expect-high {{from the GPU}} [blocking-copy-in-loop]
    cudaMemcpyToSymbol(coefficients, host, sizeof(coefficients));    // expect-high [blocking-copy-in-loop]
    k<<<1, 256>>>(y, n);
    cudaMemcpyFromSymbol(host, table, sizeof(table));                // expect-high [blocking-copy-in-loop]
    cudaMemcpy2D(x, 512, host, 512, 512, n, cudaMemcpyHostToDevice); // expect-high [blocking-copy-in-loop]
    k<<<1, 256>>>(x, n);
  }
}

// They do not block the host.
void on_the_device(float* x, float* y, int n, int steps, cudaStream_t stream) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    cudaMemcpy(y, x, n * sizeof(float), cudaMemcpyDeviceToDevice);
    cudaMemset(x, 0, n * sizeof(float));
    cudaMemsetAsync(y, 0, n * sizeof(float), stream);
    cudaMemcpyPeer(y, 1, x, 0, n * sizeof(float));
    cudaMemcpyAsync(y, x, n * sizeof(float), cudaMemcpyDeviceToDevice, stream);
  }
}

// The pointers tell: both ends are known.
void by_default(int n, int steps) {
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  float* host = (float*)malloc(n * sizeof(float));
  for (int i = 0; i < steps; ++i) {
    cudaMemcpy(x, host, n * sizeof(float), cudaMemcpyDefault);  // expect-high {{to the GPU}} [blocking-copy-in-loop]
    k<<<1, 256>>>(x, n);
    cudaMemcpy(y, x, n * sizeof(float), cudaMemcpyDefault);
  }
  free(host);
}

void unknown_default(float* a, float* b, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    cudaMemcpy(a, b, n * sizeof(float), cudaMemcpyDefault);
    k<<<1, 256>>>(a, n);
  }
}

void host_to_host(float* a, float* b, float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    cudaMemcpy(a, b, n * sizeof(float), cudaMemcpyHostToHost);
    k<<<1, 256>>>(x, n);
  }
}

// Set-up and tear-down.
void around(float* host, float* x, int n, int steps) {
  cudaMemcpy(x, host, n * sizeof(float), cudaMemcpyHostToDevice);
  for (int i = 0; i < steps; ++i) k<<<1, 256>>>(x, n);
  cudaMemcpy(host, x, n * sizeof(float), cudaMemcpyDeviceToHost);
}

// A loop that only copies feeds no kernels: loading weights.
void load_weights(float** host, float** device, const size_t* bytes, int tensors) {
  for (int i = 0; i < tensors; ++i) cudaMemcpy(device[i], host[i], bytes[i], cudaMemcpyHostToDevice);
}

void save_checkpoint(float** host, float** device, const size_t* bytes, int tensors) {
  for (int i = 0; i < tensors; ++i) {
    cudaMemcpy(host[i], device[i], bytes[i], cudaMemcpyDeviceToHost);  // expect-low [blocking-copy-in-loop]
  }
}

void train(float* x, int n, float** host, float** device, const size_t* bytes, int tensors, int steps) {
  load_weights(host, device, bytes, tensors);
  for (int step = 0; step < steps; ++step) {
    k<<<1, 256>>>(x, n);
    if (step % 1000 == 0) save_checkpoint(host, device, bytes, tensors);
  }
}
