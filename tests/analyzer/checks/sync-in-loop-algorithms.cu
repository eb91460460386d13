// Algorithms of the standard library are loops over what they are given, the constrained ones too.
#include <cuda_runtime.h>
#include <algorithm>
#include <functional>
#include <ranges>
#include <vector>

__global__ void step(float* x);

void each_buffer(std::vector<float*>& buffers) {
  std::ranges::for_each(buffers, [](float* x) {
    step<<<1, 256>>>(x);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  });
  std::vector<float> sums(buffers.size());
  std::ranges::transform(buffers, sums.begin(), [](float* x) {
    float sum;
    step<<<1, 256>>>(x);
    cudaMemcpy(&sum, x, sizeof sum, cudaMemcpyDeviceToHost);  // expect-high [scalar-readback]
    return sum;
  });
  std::stable_sort(buffers.begin(), buffers.end(), [](float* a, float* b) {
    float first[2];
    step<<<1, 256>>>(a);
    cudaMemcpy(first, a, sizeof(float), cudaMemcpyDeviceToHost);  // expect-high [scalar-readback]
    cudaMemcpy(first + 1, b, sizeof(float), cudaMemcpyDeviceToHost);  // expect-high [scalar-readback]
    return first[0] < first[1];
  });
}
// A function object of one's own.
struct Step {
  int rounds;
  void operator()(float* x) const {
    step<<<1, 256>>>(x);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
};
void by_object(std::vector<float*>& buffers) {
  const Step step{4};
  std::for_each(buffers.begin(), buffers.end(), step);
}
// Called once.
void once(float* x) {
  std::invoke([x] {
    step<<<1, 256>>>(x);
    cudaDeviceSynchronize();
  });
}
int main() {
  std::vector<float*> buffers(1000);
  each_buffer(buffers);
  by_object(buffers);
  once(buffers[0]);
}
