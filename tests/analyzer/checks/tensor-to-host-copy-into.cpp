// copy_ into a tensor of the host, or index_put_ into a slice of it, fetches; into one of the GPU, or asked not to block, it does not.
#include <torch/torch.h>

void train(torch::nn::Linear& net, torch::optim::SGD& optimizer, int steps) {
  const torch::Device device(torch::kCUDA);
  auto host = torch::empty({1}, torch::kFloat);
  auto pinned = torch::empty({1}, torch::TensorOptions().pinned_memory(true));
  auto sum = torch::zeros({1}, device);
  auto kept = torch::zeros({6400}), kept_there = torch::zeros({6400}, device);
  for (int step = 0; step < steps; ++step) {
    auto loss = net(torch::randn({64, 8}, device)).mean();
    host.copy_(loss.detach());  // expect-high [tensor-to-host]
    pinned.copy_(loss.detach(), true);
    sum.copy_(loss.detach());
    kept.index_put_({at::indexing::Slice(step, step + 1)}, loss.detach());  // expect-high [tensor-to-host]
    kept_there.index_put_({at::indexing::Slice(step, step + 1)}, loss.detach());
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
}
