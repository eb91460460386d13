// As the tutorials write an extension: a macro asks each tensor's device, and the size of the output is an argument
// that the caller may leave out.
#include <torch/torch.h>

#include <optional>

#define CHECK_CUDA(x) \
  if (!x.device().is_cuda()) throw #x

torch::Tensor spread(torch::Tensor source, torch::Tensor index, std::optional<torch::Tensor> given, const long* rows) {
  CHECK_CUDA(source);
  CHECK_CUDA(index);
  torch::Tensor out;
  if (given.has_value()) {
    out = given.value();
  } else {
    // No step keeps what is made here: without an output handed over, each call makes it anew.
    long n = 0;
    if (rows)
      n = *rows;
    else
      n = 1 + index.max().cpu().data_ptr<long>()[0];  // expect-medium {{at each call of 'spread'}} [tensor-to-host]
    out = torch::zeros({n});
  }
  return out.add_(source);
}

struct Layer {
  std::optional<torch::Tensor> peak;
  torch::Tensor forward(torch::Tensor x, std::optional<torch::Tensor> unused);
};

// What a field keeps is made once, and a reference parameter is the caller's.
torch::Tensor scaled(Layer& layer, torch::Tensor x, std::optional<torch::Tensor>& kept) {
  if (!layer.peak.has_value()) layer.peak = x.max().cpu();
  if (!kept.has_value()) kept = x.max().cpu();
  return x / layer.peak.value() / kept.value();
}

// In a loop the parameter lasts for all its iterations.
torch::Tensor iterate(torch::Tensor x, std::optional<torch::Tensor> peak) {
  for (int step = 0; step < 1000; ++step) {
    if (!peak.has_value()) peak = x.max().cpu();
    x = x.matmul(x) / peak.value();
  }
  return x;
}
