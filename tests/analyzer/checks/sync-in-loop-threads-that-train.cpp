// A thread that steps the optimizer is a trainer, whoever else trains in the program; one that loads data is not.
// Here the thread's body is a lambda, a member function and a task.
#include <torch/torch.h>
#include <future>
#include <iostream>
#include <thread>

static void one(torch::nn::Linear& net, torch::optim::SGD& optimizer, torch::Tensor x) {
  auto loss = net->forward(x).square().mean();
  optimizer.zero_grad();
  loss.backward();
  optimizer.step();
}

struct Trainer {
  torch::nn::Linear net;
  torch::Tensor x;
  void run() {
    torch::optim::SGD optimizer(net->parameters(), 0.1);
    for (int i = 0; i < 1000; ++i) {
      one(net, optimizer, x);
      torch::cuda::synchronize();  // expect-high [sync-in-loop]
    }
  }
};

void load(torch::Tensor x, torch::Tensor out) {
  for (int i = 0; i < 1000; ++i) {
    out.copy_(x.square(), true);
    torch::cuda::synchronize();
  }
}

int main() {
  torch::nn::Linear net(8, 1);
  net->to(torch::kCUDA);
  auto x = torch::randn({64, 8}, torch::kCUDA);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  std::thread by_lambda([&] {
    for (int i = 0; i < 1000; ++i) {
      one(net, optimizer, x);
      torch::cuda::synchronize();  // expect-high [sync-in-loop]
    }
  });
  Trainer trainer{net, x};
  std::jthread by_member(&Trainer::run, &trainer);
  std::thread loader(load, x, x);
  auto task = std::async(std::launch::async, [&] {
    for (int i = 0; i < 1000; ++i) {
      one(net, optimizer, x);
      torch::cuda::synchronize();  // expect-high [sync-in-loop]
    }
  });
  for (int i = 0; i < 1000; ++i) one(net, optimizer, x);
  by_lambda.join();
  loader.join();
}
