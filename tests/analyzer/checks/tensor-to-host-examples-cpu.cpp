// No example of the program is made of tensors on the GPU: what a function gives back lives on the CPU, as a loader's.
#include <torch/torch.h>

using Example = torch::data::Example<>;

Example whole(const Example& example) { return {example.data.clone(), example.target}; }

int main() {
  torch::nn::Linear model(8, 2);
  model->to(torch::kCUDA);
  torch::optim::Adam optimizer(model->parameters(), 1e-3);
  auto set = torch::data::datasets::MNIST("data").map(torch::data::transforms::Stack<>());
  auto loader = torch::data::make_data_loader(std::move(set), 64);
  double labels = 0;
  for (auto& batch : *loader) {
    auto all = whole(batch);
    labels += all.target.sum().item<double>();
    auto data = all.data.to(torch::kCUDA);  // expect-high [unpinned-to-device]
    model->forward(data).sum().backward();
    optimizer.step();
  }
}
