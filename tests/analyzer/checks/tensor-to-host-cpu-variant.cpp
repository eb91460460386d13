// The variant of an extension for the CPU hands its work to code out of sight: it is no work of the GPU either. The
// other variant's is.
#include <torch/torch.h>

#include <functional>

#define CHECK_CPU(x) \
  if (!x.device().is_cpu()) throw 1

void parallel_for(int64_t begin, int64_t end, const std::function<void(int64_t)>& work);

torch::Tensor far_from(torch::Tensor x, int64_t i) { return (x - x[i]).sum(); }

torch::Tensor sample_cpu(torch::Tensor src, int64_t n) {
  CHECK_CPU(src);
  parallel_for(0, n, [&](int64_t b) {
    for (int64_t i = 0; i < n; i++) far_from(src, b).argmax(0).item<int64_t>();
  });
  return src;
}

torch::Tensor sample_cuda(torch::Tensor src, int64_t n) {
  torch::Tensor x = src.to(torch::kCUDA);
  parallel_for(0, n, [x, n](int64_t b) {
    for (int64_t i = 0; i < n; i++) far_from(x, b).argmax(0).item<int64_t>();  // expect-high [tensor-to-host]
  });
  return x;
}
