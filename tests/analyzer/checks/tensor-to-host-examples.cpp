// Examples that the program makes of tensors on the GPU, and those of a loader, which live on the CPU.
#include <torch/torch.h>

using torch::Tensor;
using Example = torch::data::Example<>;

struct Mix {
  Example apply(const Example& one, const Example& other) {
    auto data = one.data * 0.5;
    auto label = one.target + other.target;
    return {data, label};
  }
};

Example whole(const Example& example) { return {example.data.clone(), example.target}; }

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::Linear model(8, 2);
  model->to(device);
  torch::optim::Adam optimizer(model->parameters(), 1e-3);
  auto set = torch::data::datasets::MNIST("data").map(torch::data::transforms::Stack<>());
  auto loader = torch::data::make_data_loader(std::move(set), 64);
  Mix mix;
  double sum = 0, labels = 0;
  for (auto& batch : *loader) {
    labels += batch.target.sum().item<double>();
    auto data = batch.data.to(device);      // expect-high [unpinned-to-device]
    auto target = batch.target.to(device);  // expect-high [unpinned-to-device]
    auto first = Example(data, target);
    Example second(data.clone(), target);
    auto mixed = mix.apply(first, second);
    optimizer.zero_grad();
    auto loss = (model->forward(first.data) - second.target).sum();
    loss.backward();
    optimizer.step();
    sum += loss.item<double>();                // expect-high [tensor-to-host]
    sum += mixed.target.max().item<double>();  // expect-high [tensor-to-host]
  }
}
