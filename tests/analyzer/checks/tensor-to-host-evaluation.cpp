// A loop between eval() and train(), or after eval() beside the training loop, is validation; a frozen module is not.
#include <torch/torch.h>

void train(torch::nn::Linear& net, torch::nn::Linear& teacher, torch::optim::Adam& optimizer, int epochs, int batches) {
  torch::Device device(torch::kCUDA);
  net->to(device);
  double total = 0, checked = 0;
  teacher->eval();
  for (int epoch = 0; epoch < epochs; ++epoch) {
    net->train();
    for (int batch = 0; batch < batches; ++batch) {
      auto x = torch::randn({64, 8}, device);
      auto loss = (net->forward(x) - teacher->forward(x)).mean();
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
      total += loss.item<double>();  // expect-high [tensor-to-host]
    }
    net->eval();
    for (int batch = 0; batch < batches; ++batch) {
      auto x = torch::randn({64, 8}, device);
      checked += net->forward(x).mean().item<double>();  // expect-medium [tensor-to-host]
    }
    net->train(true);
    for (int batch = 0; batch < batches; ++batch) {
      auto x = torch::randn({64, 8}, device);
      checked += net->forward(x).mean().item<double>();  // expect-high [tensor-to-host]
    }
  }
}

double error_of(torch::nn::Linear& net, int batches) {
  double sum = 0;
  net->eval();
  for (int batch = 0; batch < batches; ++batch)
    sum += net->forward(torch::randn({64, 8}, torch::kCUDA)).mean().item<double>();  // expect-medium [tensor-to-host]
  net->train();
  return sum;
}

void step_after_step(torch::nn::Linear& net, torch::optim::Adam& optimizer, int steps) {
  double total = 0;
  for (int step = 0; step < steps; ++step) {
    auto loss = net->forward(torch::randn({64, 8}, torch::kCUDA)).mean();
    loss.backward();
    optimizer.step();
    total += error_of(net, 10);
  }
}

// The whole step is trained in evaluation mode: dropout is off, nothing else.
void fine_tune(torch::nn::Linear& net, torch::optim::Adam& optimizer, int epochs, int steps) {
  double total = 0;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    net->eval();
    for (int step = 0; step < steps; ++step) {
      auto loss = net->forward(torch::randn({64, 8}, torch::kCUDA)).mean();
      loss.backward();
      optimizer.step();
      total += loss.item<double>();  // expect-high [tensor-to-host]
    }
  }
}
