// An extension's entry that loops over a dimension of a tensor trains nothing itself: Python calls it in each step. Of
// `counts` the host reads the elements, so it is on the CPU, and so it is in the callers that hand it on.
#include <torch/torch.h>

int64_t largest(const torch::Tensor& counts) {
  int64_t most = 0;
  const int64_t* all = counts.data_ptr<int64_t>();
  for (int i = 0; i < counts.size(0); ++i) if (all[i] > most) most = all[i];
  return most;
}

torch::Tensor convolve(torch::Tensor input, torch::Tensor kernel, torch::Tensor map, torch::Tensor counts) {
  if (!input.is_cuda()) throw 1;
  auto total = torch::sum(counts).item<int64_t>();
  auto rows = map.max().item<int64_t>();                // expect-medium {{at each call of 'convolve'}} [tensor-to-host]
  auto counts_there = counts.to(input.device());  // expect-medium [unpinned-to-device]
  auto out = torch::zeros({total + rows, largest(counts)}, input.options());
  auto buffer = torch::zeros({total, largest(counts)}, input.options());
  const int volume = kernel.size(0);
  for (int i = 0; i < volume; ++i) {
    buffer.copy_(input.index_select(0, map));
    torch::mm_out(out, buffer, kernel[i]);
  }
  return out + counts_there.sum();
}

// What was copied from a tensor lives where it does: the host writes into the copy, so `left` is on the CPU.
torch::Tensor take(torch::Tensor input, torch::Tensor left, torch::Tensor scale) {
  if (!input.is_cuda()) throw 1;
  auto after = left.clone();
  auto many = after.item<int64_t>();
  auto by = scale.clone();
  auto factor = by.item<float>();  // expect-medium {{at each call of 'take'}} [tensor-to-host]
  *after.data_ptr<int64_t>() = many - 1;
  return input.matmul(input) * factor;
}
