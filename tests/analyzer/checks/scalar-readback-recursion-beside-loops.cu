// A recursion that begins before the loop that trains is set-up. One that begins after it, or in a program whose loop is
// over, is not.
#include <cuda_runtime.h>

__global__ void train(float* x) { x[threadIdx.x] *= 2; }
__global__ void split(const float* x, int begin, int end, int* middle);

// Before the loop in main().
void sort_once(const float* x, int* device, int begin, int end) {
  if (end - begin < 2) return;
  split<<<1, 256>>>(x, begin, end, device);
  int middle;
  cudaMemcpy(&middle, device, sizeof middle, cudaMemcpyDeviceToHost);
  sort_once(x, device, begin, middle);
  sort_once(x, device, middle, end);
}

// After it.
void grow(const float* x, int* device, int begin, int end, int depth) {
  if (depth == 0) return;
  split<<<1, 256>>>(x, begin, end, device);
  int middle;
  cudaMemcpy(&middle, device, sizeof middle, cudaMemcpyDeviceToHost);  // expect-medium {{}} [scalar-readback]
  grow(x, device, begin, middle, depth - 1);
  grow(x, device, middle, end, depth - 1);
}

void run(float* x) {
  for (int i = 0; i < 1000; ++i) train<<<1, 256>>>(x);
}

int main() {
  float* x;
  int* device;
  cudaMalloc(&x, 4096);
  cudaMalloc(&device, sizeof(int));
  sort_once(x, device, 0, 1024);
  run(x);
  grow(x, device, 0, 1024, 8);
}
