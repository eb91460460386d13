// cudaLaunchKernel: its arguments say what an iteration works on; an extent that the loop counts does not.
#include <cuda_runtime.h>

struct Params {
  float* level[16];
  int out;
};
__global__ void build(Params p);
__global__ void scale(float* x, int n);

void levels(Params p, int last, int size, int steps) {
  void* args[] = {&p};
  for (int step = 0; step < steps; ++step) {
    for (int i = 1; i <= last; ++i) {
      dim3 grid(size >> i, 1, 1);
      p.out = i;
      cudaLaunchKernel((void*)build, grid, dim3(256), args, 0, nullptr);
    }
  }
}

void tensors(float** x, int* sizes, int count, int steps) {
  for (int step = 0; step < steps; ++step) {
    for (int i = 0; i < count; ++i) {  // expect-high [per-tensor-loop]
      scale<<<sizes[i] / 256 + 1, 256>>>(x[i], sizes[i]);
    }
  }
}
