// What a view of the standard library calls for each element runs in the loop that goes through the view.
#include <cuda_runtime.h>

#include <algorithm>
#include <ranges>
#include <vector>

__global__ void step(float* weights, const float* batch);

void train(float* weights, const float* batch) { step<<<256, 256>>>(weights, batch); }

struct Upload {
  float* device;
  float* operator()(const std::vector<float>& batch) const {
    cudaMemcpy(device, batch.data(), batch.size() * sizeof(float), cudaMemcpyHostToDevice);
    return device;
  }
};

int main() {
  std::vector<std::vector<float>> batches(500, std::vector<float>(1 << 16));
  float *weights, *device;
  cudaMalloc(&weights, 1 << 18);
  cudaMalloc(&device, 1 << 18);
  auto uploaded = batches | std::views::transform([device](const auto& batch) {
    cudaMemcpy(device, batch.data(), batch.size() * sizeof(float), cudaMemcpyHostToDevice);
    return device;
  });
  for (float* batch : uploaded) train(weights, batch);  // expect-high {{cudaMemcpy}} [blocking-copy-in-loop]
  for (float* batch : batches | std::views::drop(1) | std::views::transform(Upload{device}))  // expect-high [blocking-copy-in-loop]
    train(weights, batch);
  auto others = batches | std::views::transform([device](const std::vector<float>& batch) {
    cudaMemcpy(device, batch.data(), batch.size() * sizeof(float), cudaMemcpyHostToDevice);
    return device;
  });
  std::ranges::for_each(others, [&](float* batch) { train(weights, batch); });  // expect-high [blocking-copy-in-loop]
  // Nobody goes through this one.
  auto unused = batches | std::views::transform([device](const std::vector<float>& batch) {
    cudaMemcpy(device, batch.data(), batch.size() * sizeof(float), cudaMemcpyHostToDevice);
    return device;
  });
  (void)unused;
}
