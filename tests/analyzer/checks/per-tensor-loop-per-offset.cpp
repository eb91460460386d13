// Sparse convolution: one matrix product for each kernel offset, on parts of buffers that hold those of all offsets. The
// variables for the parts stand outside the loop, but each iteration sets them before it reads them. Whether a tensor's
// size is a multiple of 4 is no question of how many steps have been done.
#include <torch/torch.h>

#include <vector>

struct Offsets {
  std::vector<int> begin, count;
};

void step(torch::Tensor in, torch::Tensor out, torch::Tensor weights, const Offsets& offsets) {
  torch::Tensor from, to;
  const int channels = in.size(1);
  for (size_t i = 0; i < offsets.begin.size(); ++i) {  // expect-high [per-tensor-loop]
    if (channels % 4 == 0) {
      from = in.slice(0, offsets.begin[i], offsets.count[i]);
      to = out.slice(0, offsets.begin[i], offsets.count[i]);
    } else {
      from = in[i];
      to = out[i];
    }
    at::mm_out(to, from, weights[i]);
  }
}

// What one iteration leaves in `last`, the next one reads.
void recurrent(torch::Tensor in, torch::Tensor weights, const Offsets& offsets) {
  torch::Tensor last = in[0];
  for (size_t i = 0; i < offsets.begin.size(); ++i) {
    at::mm_out(last, in[i], weights[i]);
    last = last.matmul(weights[i]);
  }
}

int main() {
  auto in = torch::zeros({1000, 16}, torch::kCUDA), out = torch::zeros({1000, 16}, torch::kCUDA);
  auto weights = torch::zeros({27, 16, 16}, torch::kCUDA);
  Offsets offsets;
  for (int i = 0; i < 1000; ++i) {
    step(in, out, weights, offsets);
    recurrent(in, weights, offsets);
  }
}
