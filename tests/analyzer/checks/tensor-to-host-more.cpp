// How people write it: members, loops by index, containers, lambdas, optional values, CPU copies used later.
#include <torch/torch.h>
#include <cmath>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <vector>

struct Batch {
  torch::Tensor x, y;
};

struct Net : torch::nn::Module {
  Net() { fc = register_module("fc", torch::nn::Linear(8, 8)); }
  torch::Tensor forward(torch::Tensor x) { return fc->forward(x); }
  torch::nn::Linear fc{nullptr};
};

class History {
 public:
  void push(double v) { values_.push_back(v); }

 private:
  std::vector<double> values_;
};

void members(std::shared_ptr<Net> net, torch::optim::Adam& optimizer, std::vector<Batch>& cpu_batches, int epochs) {
  const auto device = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  net->to(device);
  History history;
  std::vector<float> losses;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    auto total = torch::zeros({1}, device);
    for (auto& batch : cpu_batches) {
      auto x = batch.x.to(device), y = batch.y.to(device);
      auto loss = torch::mse_loss(net->forward(x), y);
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
      history.push(loss.item<double>());         // expect-high [tensor-to-host]
      losses.push_back(loss.item().to<float>()); // expect-low [tensor-to-host] once more
      total += loss.detach();
      if (std::isnan(loss.item<float>())) return;  // expect-high [branch-on-device]
    }
  }
}

// The norm of each parameter, on the host, one by one.
double grad_norm(const std::vector<torch::Tensor>& parameters) {
  double total = 0;
  for (const auto& p : parameters) {  // expect-high [per-tensor-loop]
    total += std::pow(p.grad().norm().item<double>(), 2);  // expect-high [tensor-to-host]
  }
  return std::sqrt(total);
}

void clip_by_hand(std::shared_ptr<Net> net, torch::Tensor x, int steps) {
  net->to(torch::kCUDA);
  x = x.to(torch::kCUDA);
  for (int i = 0; i < steps; ++i) {
    net->forward(x).mean().backward();
    if (grad_norm(net->parameters()) > 1.0) break;
  }
}

// Metrics by a callback.
void with_callback(std::shared_ptr<Net> net, torch::Tensor input, int steps, bool verbose) {
  auto x = input.cuda();
  std::function<void(const torch::Tensor&)> report = [](const torch::Tensor& loss) {
    std::ofstream("log.txt") << loss.item<float>();
  };
  for (int i = 0; i < steps; ++i) {
    auto loss = net->forward(x).mean();
    loss.backward();
    report(loss);  // expect-high [tensor-to-host]
    if (verbose) std::cout << loss.item<float>();  // expect-medium [tensor-to-host]
  }
}

// After the loop, and in set-up.
float once(std::shared_ptr<Net> net, torch::Tensor input, int steps) {
  auto x = input.to(torch::kCUDA);
  const float first = x.mean().item<float>();
  torch::Tensor loss;
  for (int i = 0; i < steps; ++i) {
    loss = net->forward(x).mean();
    loss.backward();
  }
  torch::save(loss, "loss.pt");
  return first + loss.item<float>();
}

// Evaluation, by name and by guard.
double accuracy(std::shared_ptr<Net> net, std::vector<Batch>& batches) {
  c10::InferenceMode guard;
  net->eval();
  double correct = 0;
  for (auto& b : batches) {
    auto out = net->forward(b.x.to(torch::kCUDA));
    correct += out.argmax(1).eq(b.y.to(torch::kCUDA)).sum().item<double>();  // expect-medium [tensor-to-host]
  }
  return correct;
}
