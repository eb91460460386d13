// Options and moves as LibTorch's first versions spelled them.
#include <torch/torch.h>

void overlaps(long*, int);

at::Tensor suppress(at::Tensor boxes) {
  at::Tensor mask = torch::empty({boxes.size(0), 4}, at::CUDA(at::kLong));
  overlaps(mask.data_ptr<long>(), 3);
  at::Tensor on_host = mask.toBackend(at::Backend::CPU);  // expect-high [tensor-to-host]
  at::Tensor zeros = torch::zeros({4}, at::CPU(at::kLong));
  at::Tensor stays = zeros.toBackend(at::Backend::CPU);
  return on_host + stays;
}

void train(torch::Tensor boxes, int steps) {
  boxes = boxes.to(torch::kCUDA);
  for (int i = 0; i < steps; ++i) {
    boxes.mul_(2);
    suppress(boxes);
  }
}
