// A program that returns where its training set is empty trains behind that: the set's name is no flag. An atomic flag's
// name is one.
#include <cuda_runtime.h>

#include <atomic>
#include <vector>

__global__ void update(float* weights);

struct Examples {
  std::vector<float> values;
  bool empty() const { return values.empty(); }
  bool is_training() const;
};
Examples load();

std::atomic<bool> training{false};

void step(float* weights, const Examples& examples) {
  update<<<1, 256>>>(weights);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  if (!training.load()) {
    update<<<1, 256>>>(weights);
    cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
  }
  if (!examples.is_training()) {
    update<<<1, 256>>>(weights);
    cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
  }
}

int main() {
  float* weights;
  cudaMalloc(reinterpret_cast<void**>(&weights), 1024);
  const Examples train_set = load();
  if (train_set.empty()) return 1;
  std::vector<float> training_data = load().values;
  if (training_data.empty()) return 1;
  for (int i = 0; i < 1000; ++i) step(weights, train_set);
  return 0;
}
