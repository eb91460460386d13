// An extension names no device: its tensors come from Python, and it insists that they are on the GPU.
#include <torch/torch.h>

torch::Tensor normalise(torch::Tensor x) {
  if (!x.is_cuda()) throw 1;
  auto y = x.matmul(x);
  return y / y.max().item<float>();  // expect-medium {{at each call of 'normalise'}} [tensor-to-host]
}
