// A branch that runs where an argument is another than in the call before: the value is kept after the branch.
#include <cuda_runtime.h>

__global__ void factor(float* l, float shift);
__global__ void solve(const float* l, float* x);

struct Info {
  float shift;
  float* l;
};

void project(Info* info, float* x, float shift) {
  if (shift != info->shift) {
    factor<<<1, 256>>>(info->l, shift);
    cudaDeviceSynchronize();  // expect-low [sync-in-loop]
  }
  solve<<<64, 256>>>(info->l, x);
  info->shift = shift;
}

// What is kept is something else: nothing says that the branch is rare.
void scale(Info* info, float* x, float shift, float other) {
  if (shift != info->shift) {
    factor<<<1, 256>>>(info->l, shift);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
  solve<<<64, 256>>>(info->l, x);
  info->shift = other;
}

int main() {
  Info a{}, b{};
  float* x;
  cudaMalloc(&x, 4096);
  for (int k = 0; k < 10000; ++k) {
    project(&a, x, 1.0f);
    scale(&b, x, 1.0f, 2.0f * k);
  }
}
