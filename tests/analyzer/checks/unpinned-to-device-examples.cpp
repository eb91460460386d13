// What a function of the program gives back is pinned where it makes its examples of pinned tensors.
#include <torch/torch.h>

using Example = torch::data::Example<>;

Example pinned(const Example& example) { return {example.data.pin_memory(), example.target.pin_memory()}; }

int main() {
  torch::nn::Linear model(8, 2);
  model->to(torch::kCUDA);
  torch::optim::Adam optimizer(model->parameters(), 1e-3);
  auto set = torch::data::datasets::MNIST("data").map(torch::data::transforms::Stack<>());
  auto loader = torch::data::make_data_loader(std::move(set), 64);
  for (auto& batch : *loader) {
    auto all = pinned(batch);
    auto data = all.data.to(torch::kCUDA, /*non_blocking=*/true);
    model->forward(data).sum().backward();
    optimizer.step();
  }
}
