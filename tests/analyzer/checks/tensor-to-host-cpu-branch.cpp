// What a program does where its tensors live on the CPU is none of the GPU's work, however its loop trains.
#include <torch/torch.h>

torch::Tensor project_on_the_host(torch::Tensor x) {
  auto y = x * 2 + 1;
  if (y.sum().item<float>() > 0) return y;
  return ((y - x) * y).abs();
}

torch::Tensor project(torch::Tensor x) {
  if (x.sum().item<float>() > 0) return x;  // expect-high [branch-on-device]
  return x + 1;
}

void by_comparison(torch::nn::Linear& net, torch::optim::Adam& optimizer, torch::Device device, int steps) {
  net->to(device);
  for (int step = 0; step < steps; ++step) {
    auto x = torch::randn({64, 8}, device);
    torch::Tensor y;
    if (device == torch::kCPU) {
      y = project_on_the_host(x);
    } else {
      y = project(x);
    }
    auto loss = net(y).sum();
    loss.backward();
    optimizer.step();
    if (device.type() != torch::kCUDA) {
      printf("%f\n", loss.item<float>());
    }
  }
}

void by_question(torch::nn::Linear& net, torch::optim::Adam& optimizer, torch::Device device, int steps) {
  net->to(device);
  for (int step = 0; step < steps; ++step) {
    auto x = torch::randn({64, 8}, device);
    auto loss = net(x).sum();
    loss.backward();
    optimizer.step();
    if (!loss.is_cuda()) printf("%f\n", loss.item<float>());
    if (device.is_cpu()) printf("%f\n", loss.item<float>());
    if (loss.is_cuda()) printf("%f\n", loss.item<float>());  // expect-high [tensor-to-host]
    // One of two: what lets the branch run need not be the device.
    if (device == torch::kCPU || step > 3) printf("%f\n", x.sum().item<float>());  // expect-high [tensor-to-host]
  }
}

void on_the_gpu(torch::nn::Linear& net, torch::optim::Adam& optimizer, torch::Device device, int steps) {
  net->to(device);
  for (int step = 0; step < steps; ++step) {
    auto loss = net(torch::randn({64, 8}, device)).sum();
    loss.backward();
    optimizer.step();
    if (device != torch::kCPU) printf("%f\n", loss.item<float>());  // expect-high [tensor-to-host]
  }
}

// The branch is there to leave the CPU: the move is each step's.
void moved_where_needed(torch::nn::Linear& net, torch::optim::Adam& optimizer, int steps) {
  net->to(torch::kCUDA);
  for (int step = 0; step < steps; ++step) {
    auto x = torch::randn({64, 8});
    if (!x.is_cuda()) x = x.to(torch::kCUDA);  // expect-high [unpinned-to-device]
    auto loss = net(x).sum();
    loss.backward();
    optimizer.step();
  }
}

// A check that throws parts what follows as a return does.
torch::Tensor kernel_of_the_host(torch::Tensor x) {
  if (x.is_cuda()) throw std::runtime_error("expected a tensor on the CPU");
  auto y = x * 2 + 1;
  if (y.sum().item<float>() > 0) return y;
  return ((y - x) * y).abs();
}

torch::Tensor kernel_of_the_gpu(torch::Tensor x) {
  if (!x.is_cuda()) throw std::runtime_error("expected a tensor on the GPU");
  if (x.size(0) == 0) throw std::runtime_error("expected rows");
  if (x.sum().item<float>() > 0) return x;  // expect-high [branch-on-device]
  return x + 1;
}

void by_check(torch::nn::Linear& net, torch::optim::Adam& optimizer, torch::Device device, int steps) {
  net->to(device);
  for (int step = 0; step < steps; ++step) {
    auto x = torch::randn({64, 8}, device);
    auto y = kernel_of_the_gpu(x);
    y = y + kernel_of_the_host(x);
    auto loss = net(y).sum();
    loss.backward();
    optimizer.step();
  }
}
