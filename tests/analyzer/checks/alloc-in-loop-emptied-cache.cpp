// The caching allocator's blocks, given back to the driver in each step, which takes new ones.
#include <torch/torch.h>

namespace c10::cuda::CUDACachingAllocator {
struct CUDAAllocator {
  virtual void emptyCache() = 0;
};
CUDAAllocator* get();
inline void emptyCache() { return get()->emptyCache(); }
}  // namespace c10::cuda::CUDACachingAllocator

int main() {
  torch::Device device(torch::kCUDA);
  auto weights = torch::randn({64, 64}, device);
  for (int step = 0; step < 1000; ++step) {
    weights = weights.matmul(weights);
    c10::cuda::CUDACachingAllocator::emptyCache();  // expect-high {{gives all cached memory back to the driver}} [alloc-in-loop]
  }
  for (int step = 0; step < 1000; ++step) {
    weights = weights.matmul(weights);
    if (device.is_cuda()) c10::cuda::CUDACachingAllocator::get()->emptyCache();  // expect-medium [alloc-in-loop]
  }
  c10::cuda::CUDACachingAllocator::emptyCache();  // once, at the end
}
