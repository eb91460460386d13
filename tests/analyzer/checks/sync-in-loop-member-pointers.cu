// Methods that are called through pointers to members, of a field, a variable or a parameter.
#include <cuda_runtime.h>

__global__ void k(float* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += 1;
}
struct Model {
  void (Model::*phase)();
  float* p;
  void wait() { cudaDeviceSynchronize(); }  // expect-high@+12 [sync-in-loop]
  void run() {
    k<<<1, 32>>>(p, 32);  // expect-high [unfused-elementwise-chain]
    cudaStreamSynchronize(nullptr);  // expect-high [sync-in-loop]
    k<<<1, 32>>>(p, 32);
  }
};

void by_field(Model& model, int steps) {
  model.phase = &Model::wait;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 32>>>(model.p, 32);
    (model.*model.phase)();
  }
}
void by_variable(Model* model, int steps) {
  auto phase = &Model::run;
  for (int i = 0; i < steps; ++i) (model->*phase)();
}

int main() {
  Model model;
  cudaMalloc(&model.p, 4096);
  by_field(model, 1000);
  by_variable(&model, 1000);
}
