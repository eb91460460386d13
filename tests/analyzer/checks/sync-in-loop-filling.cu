// Loops that fill each of several arrays run once where a loop comes later that trains; without one they are the work.
#include <cuda_runtime.h>
#include <vector>

__global__ void fill(float* w, int n, int seed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) w[i] = seed * i;
}
__global__ void halve(float* w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) w[i] *= 0.5f;
}
struct Model {
  std::vector<float*> weights;
  void fill_all() {
    for (size_t l = 0; l < weights.size(); ++l) {
      fill<<<4, 256>>>(weights[l], 1024, l);
      cudaDeviceSynchronize();  // expect-low [sync-in-loop] expect-evidence [sync-in-loop] {{comes later}}
    }
  }
  void step() { halve<<<4, 256>>>(weights[0], 1024); }
};
void each_part(std::vector<float*>& parts) {
  for (size_t l = 0; l < parts.size(); ++l) {
    fill<<<4, 256>>>(parts[l], 1024, l);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}
// Each iteration goes on from the last.
void anneal(float* w, int rounds) {
  for (int r = 0; r < rounds; ++r) {
    halve<<<4, 256>>>(w, 1024);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

int main(int argc, char**) {
  Model model;
  model.weights.resize(argc + 4);
  for (float*& w : model.weights) cudaMalloc(&w, 4096);
  model.fill_all();
  anneal(model.weights[0], 100 * argc);
  for (int i = 0; i < 1000; ++i) model.step();
  cudaDeviceSynchronize();
  each_part(model.weights);
}
