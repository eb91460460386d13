// An operator that only enqueues: nobody here calls it, and it neither waits nor makes memory of its own.
#include <torch/torch.h>

torch::Tensor blend(torch::Tensor x, torch::Tensor y) {
  if (!x.is_cuda()) throw 1;
  return ((1 - x) * y + x) * y;  // expect-medium {{at each call of 'blend'}} [unfused-elementwise-chain]
}
