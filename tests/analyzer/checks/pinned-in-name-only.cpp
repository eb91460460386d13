// pinned-in-name-only: each expectation stands on the line it speaks of; any other finding fails the test.
#include <torch/torch.h>

#include <vector>

extern "C" {
int cudaHostAlloc(void** p, size_t n, unsigned flags);
}

class Rollout {
 public:
  Rollout(int environments, int size) : rows_(environments * size) {
    auto options = torch::TensorOptions().dtype(torch::kFloat).pinned_memory(true);
    for (int i = 0; i < environments; ++i) {
      frames_.push_back(torch::from_blob(rows_.data() + i * size, {size}, options));  // expect-medium [pinned-in-name-only]
    }
  }
  void step(torch::Tensor& batch, torch::Tensor& weight, torch::optim::SGD& optimizer) {
    for (auto& frame : frames_) batch.copy_(frame, true);  // expect-high [unpinned-to-device] expect-high [per-tensor-loop]
    auto loss = (batch * weight).sum();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }

 private:
  std::vector<float> rows_;
  std::vector<torch::Tensor> frames_;
};

// The memory is pinned; or its allocation is not in sight.
torch::Tensor given(float* rows) {
  return torch::from_blob(rows, {8}, torch::TensorOptions().pinned_memory(true));
}
torch::Tensor pinned() {
  float* rows = nullptr;
  cudaHostAlloc(reinterpret_cast<void**>(&rows), 64, 0);
  return torch::from_blob(rows, {8}, torch::TensorOptions().pinned_memory(true));
}
torch::Tensor plain(std::vector<float>& rows) { return torch::from_blob(rows.data(), {8}); }

int main() {
  torch::Device device(torch::kCUDA);
  auto weight = torch::randn({64}, device);
  auto batch = torch::zeros({64}, device);
  torch::optim::SGD optimizer({weight}, 0.1);
  Rollout rollout(8, 64);
  std::vector<float> rows(8);
  auto a = plain(rows) + pinned();
  for (int step = 0; step < 1000; ++step) rollout.step(batch, weight, optimizer);
}
