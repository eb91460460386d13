// The device is chosen at run time, kept in a member, handed on.
#include <torch/torch.h>

#include <iostream>
#include <memory>

struct Config {
  torch::Device device = torch::kCPU;
};

class Trainer {
 public:
  Trainer() : device_(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU), net_(8, 8) { net_->to(device_); }

  template <typename Loader>
  void epoch(Loader& loader, torch::optim::SGD& optimizer) {
    double running = 0;
    for (auto& batch : *loader) {
      auto data = batch.data.to(device_);      // expect-high [unpinned-to-device]
      auto target = batch.target.to(device_);  // expect-high [unpinned-to-device]
      auto out = net_->forward(data);
      auto loss = torch::nn::functional::cross_entropy(out, target);
      running += loss.template item<double>() * data.size(0);  // expect-high [tensor-to-host]
      auto prediction = out.argmax(1);
      correct_ += prediction.eq(target).sum().template item<int64_t>();  // expect-high [tensor-to-host]
      // Batches come from the host.
      labels_seen_ += batch.target.sum().template item<int64_t>();
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
    }
    std::cout << running << "\n";
  }

 private:
  torch::Device device_;
  torch::nn::Linear net_;
  int64_t correct_ = 0, labels_seen_ = 0;
};

// Instantiated twice, reported once.
template <typename T>
T value_of(const torch::Tensor& t) {
  return t.item<T>();
}

template <typename T>
void train_as(torch::Tensor w, int steps) {
  T total = 0;
  for (int i = 0; i < steps; ++i) {
    auto loss = (w * w).sum();
    loss.backward();
    total += loss.item<T>();     // expect-high [tensor-to-host]
    total += value_of<T>(loss);  // expect-high [tensor-to-host]
  }
  std::cout << total;
}

int main() {
  const bool cuda = torch::cuda::is_available();
  torch::Device device = cuda ? torch::Device(torch::kCUDA) : torch::Device(torch::kCPU);
  auto w = torch::randn({8}, torch::TensorOptions().device(device));
  train_as<float>(w, 100);
  train_as<double>(w, 100);
  Trainer trainer;
  auto digits = torch::data::datasets::MNIST(".").map(torch::data::transforms::Stack<>());
  auto loader = torch::data::make_data_loader(digits, 64);
  torch::optim::SGD optimizer({w}, 0.1);
  for (int epoch = 0; epoch < 10; ++epoch) trainer.epoch(loader, optimizer);
}
