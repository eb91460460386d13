// Operators registered with a class or a function that this version of LibTorch lacks: they are operators none the less.
// status: partial
#include <torch/torch.h>

template <typename T>
torch::Tensor gather(torch::Tensor features, torch::Tensor counts) {
  torch::Tensor on_host = counts.to(torch::kCPU);  // expect-medium [tensor-to-host]
  return features.to(torch::kCUDA) + on_host[0].item<int>();
}

torch::Tensor scatter(torch::Tensor features, torch::Tensor counts) {
  return features.to(torch::kCUDA) + counts.cuda().sum().item<int>();  // expect-medium [tensor-to-host]
}

template <typename T>
torch::Tensor unused(torch::Tensor features, torch::Tensor counts) {
  return features.to(torch::kCUDA) + counts.cuda().sum().item<int>();
}

static auto registry =
    torch::missing::Operators("ops::gather", &gather<float>).op("ops::scatter", &scatter);
