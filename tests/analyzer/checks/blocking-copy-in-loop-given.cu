// What a call gives decides which branches run: numbers compared with constants, and tests that are combined.
#include <cuda_runtime.h>

__global__ void k(float* p, int n);

void upload(float* to, const float* from, int n, int extra) {
  k<<<1, 32>>>(to, n);
  if (extra > 0) cudaMemcpy(to, from, extra, cudaMemcpyHostToDevice);  // expect-high [blocking-copy-in-loop]
}
void nothing_extra(float* to, const float* from, int steps) {
  for (int i = 0; i < steps; ++i) upload(to, from, 32, 0);
}
void some_extra(float* to, const float* from, int steps) {
  for (int i = 0; i < steps; ++i) upload(to, from, 32, 256);
}

enum Device { CPU, GPU };
void copy(float* to, Device there, const float* from, Device here, int n) {
  if (there == GPU && here == GPU)
    cudaMemcpyAsync(to, from, n, cudaMemcpyDeviceToDevice);
  else if (there == CPU && here == GPU)
    cudaMemcpy(to, from, n, cudaMemcpyDeviceToHost);
  else
    cudaMemcpy(to, from, n, cudaMemcpyHostToDevice);
}
void copy_on(float* to, const float* from, Device device, int n) { copy(to, device, from, device, n); }
void on_device(float* to, const float* from, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 32>>>(to, 32);
    copy_on(to, from, GPU, 32);
  }
}

int chunk_of(int step);
void in_chunks(float* to, const float* from, int n, int chunk) {
  k<<<1, 32>>>(to, n);
  if (!(chunk <= 1 || n < 2))
    cudaMemcpy(to, from, chunk, cudaMemcpyHostToDevice);  // expect-high [blocking-copy-in-loop]
}
void one_chunk(float* to, const float* from, int steps) {
  for (int i = 0; i < steps; ++i) in_chunks(to, from, 32, 1);
}
void many_chunks(float* to, const float* from, int steps) {
  for (int i = 0; i < steps; ++i) in_chunks(to, from, 32, chunk_of(i));
}
