// A constructor's loop makes the layers ready; the loop over steps is elsewhere.
#include <cuda_runtime.h>

#include <vector>

__global__ void seed(float* state);
__global__ void k(float* w);

struct Model {
  std::vector<float*> weights;
  float* state;
  explicit Model(int layers) {
    cudaMalloc(&state, 64);
    for (int i = 0; i < layers; ++i) {
      float* w;
      cudaMalloc(&w, 4096);  // expect-low [alloc-in-loop]
      seed<<<1, 256>>>(state);
      k<<<1, 256>>>(w);
      cudaDeviceSynchronize();  // expect-low [sync-in-loop]
      weights.push_back(w);
    }
  }
  void step() {
    k<<<1, 256>>>(weights[0]);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
};

int main() {
  Model model(12);
  for (int s = 0; s < 1000; ++s) model.step();
}
