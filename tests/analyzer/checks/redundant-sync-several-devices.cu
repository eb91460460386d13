// A wait for "the device" is one for the current device: it covers no stream of another.
#include <cuda_runtime.h>

#include <atomic>

__global__ void k(float* x, int n);

void every_device(float** x, int n, int devices, cudaStream_t* streams, int steps) {
  for (int step = 0; step < steps; ++step) {
    for (int d = 0; d < devices; ++d) {
      cudaSetDevice(d);
      k<<<1, 256, 0, streams[d]>>>(x[d], n);
    }
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    cudaStreamSynchronize(streams[0]);  // expect-high [sync-in-loop]
  }
}
