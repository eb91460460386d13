// What a loop is shows in what it holds: the loop that the optimizer steps in is the step loop, whatever counts it.
#include <torch/torch.h>
#include <iostream>
#include <vector>

using Batches = std::vector<torch::Tensor>;

// One pass over the whole set in one batch: each iteration is a step.
void full_batch(torch::nn::Linear& net, torch::optim::SGD& optimizer, torch::Tensor x) {
  for (int epoch = 0; epoch < 1000; ++epoch) {
    auto loss = net->forward(x).square().mean();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    std::cout << loss.item<float>();  // expect-high [tensor-to-host]
  }
}

// Micro-batches of one step: the optimizer steps outside of their loop.
void accumulated(torch::nn::Linear& net, torch::optim::SGD& optimizer, Batches& micro) {
  for (int epoch = 0; epoch < 1000; ++epoch) {
    auto total = torch::zeros({1}, torch::kCUDA);
    for (auto& x : micro) {
      auto loss = net->forward(x).square().mean();
      loss.backward();
      total += loss.detach();
    }
    optimizer.step();
    optimizer.zero_grad();
    std::cout << total.item<float>();  // expect-high [tensor-to-host]
  }
}

// The inner loop steps: the outer one is that of the epochs.
void by_i(torch::nn::Linear& net, torch::optim::SGD& optimizer, Batches& all) {
  for (int i = 0; i < 10; ++i) {
    auto total = torch::zeros({1}, torch::kCUDA);
    for (auto& x : all) {
      auto loss = net->forward(x).square().mean();
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
      total += loss.detach();
      std::cout << loss.item<float>();  // expect-high [tensor-to-host]
    }
    std::cout << total.item<float>();  // expect-medium [tensor-to-host]
  }
}

// The loop over the batches stands in what is called; and the step in what that calls.
void one(torch::nn::Linear& net, torch::optim::SGD& optimizer, torch::Tensor x, torch::Tensor& total) {
  auto loss = net->forward(x).square().mean();
  optimizer.zero_grad();
  loss.backward();
  optimizer.step();
  total += loss.detach();
  if (loss.isnan().item<bool>()) total = loss;  // expect-high [tensor-to-host]
}
void pass(torch::nn::Linear& net, torch::optim::SGD& optimizer, Batches& all, torch::Tensor& total) {
  for (auto& x : all) one(net, optimizer, x, total);
}
void through_calls(torch::nn::Linear& net, torch::optim::SGD& optimizer, Batches& all) {
  for (int round = 0; round < 10; ++round) {
    auto total = torch::zeros({1}, torch::kCUDA);
    pass(net, optimizer, all, total);
    std::cout << total.item<float>();  // expect-medium [tensor-to-host]
  }
}

// Two optimizers, one after the other: a loop over them is no loop over steps.
void two(torch::nn::Linear& net, std::vector<torch::optim::SGD>& optimizers, torch::Tensor x) {
  for (int epoch = 0; epoch < 1000; ++epoch) {
    auto loss = net->forward(x).square().mean();
    loss.backward();
    for (auto& optimizer : optimizers) optimizer.step();
    std::cout << loss.item<float>();  // expect-high [tensor-to-host]
  }
}

// Several runs of several epochs.
void folds(torch::nn::Linear& net, torch::optim::SGD& optimizer, Batches& all) {
  for (int fold = 0; fold < 5; ++fold) {
    for (int round = 0; round < 10; ++round) {
      auto total = torch::zeros({1}, torch::kCUDA);
      for (auto& x : all) {
        auto loss = net->forward(x).square().mean();
        loss.backward();
        optimizer.step();
        total += loss.detach();
      }
      std::cout << total.item<float>();  // expect-medium [tensor-to-host]
    }
  }
}

int main() {
  torch::nn::Linear net(8, 1);
  net->to(torch::kCUDA);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  std::vector<torch::optim::SGD> optimizers;
  auto x = torch::randn({64, 8}, torch::kCUDA);
  Batches all{x, x};
  full_batch(net, optimizer, x);
  accumulated(net, optimizer, all);
  by_i(net, optimizer, all);
  through_calls(net, optimizer, all);
  two(net, optimizers, x);
  folds(net, optimizer, all);
}
