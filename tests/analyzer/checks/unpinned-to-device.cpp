// unpinned-to-device: each expectation stands on the line it speaks of; any other finding fails the test.
#include <torch/torch.h>

#include <utility>
#include <vector>

struct Net : torch::nn::Module {
  torch::Tensor forward(torch::Tensor x) { return (x * weight).sum(); }
  torch::Tensor weight;
};

void learn(torch::Tensor loss, torch::optim::SGD& optimizer) {
  optimizer.zero_grad();
  loss.backward();
  optimizer.step();
}

// A loader's batch, under another name, and given back to the same variable.
template <typename Loader>
void batches(Net& net, Loader& loader, torch::optim::SGD& optimizer, torch::Device device) {
  for (auto& batch : *loader) {
    auto data = batch.data.to(device);  // expect-high [unpinned-to-device] pageable host memory
    auto target = batch.target;
    target = target.to(device);  // expect-high [unpinned-to-device]
    target = target.to(device);  // on the device by now
    auto early = batch.data.pin_memory().to(device, true);
    learn(net.forward(data) + target + early, optimizer);
  }
}

void noise(Net& net, torch::optim::SGD& optimizer, torch::Device device, int steps) {
  const auto pinned = torch::TensorOptions().dtype(torch::kFloat).pinned_memory(true);
  auto made = torch::ones({8});
  auto kept = made.to(device);  // once
  for (int step = 0; step < steps; ++step) {
    auto z = torch::randn({8, 8}).to(device);  // expect-high [unpinned-to-device] made on the host
    auto here = torch::randn({8, 8}, device);
    auto staged = torch::empty({8, 8}, pinned).to(device, true);
    auto listed = torch::tensor({0.1, 0.2}, device);  // expect-high [unpinned-to-device] assembled on the host
    auto again = made.to(device);                     // expect-high [unpinned-to-device]
    auto as_float = here.to(torch::kFloat);
    // expect-high@+1 [unfused-elementwise-chain]
    learn(net.forward(z + here + staged + again + as_float) + listed + kept, optimizer);
  }
}

// Through a vector, a stack, and a helper that is handed the tensor.
torch::Tensor send(const torch::Tensor& x, torch::Device device) {
  return x.to(device);  // expect-high [unpinned-to-device]
}

void collected(Net& net, torch::optim::SGD& optimizer, torch::Device device, float* rows, int steps) {
  for (int step = 0; step < steps; ++step) {
    std::vector<torch::Tensor> frames;
    for (int i = 0; i < 4; ++i) frames.push_back(torch::from_blob(rows + i * 64, {64}));
    auto batch = torch::stack(frames).to(device);  // expect-high [unpinned-to-device]
    auto more = send(torch::from_blob(rows, {64}), device);
    learn(net.forward(batch + more), optimizer);
  }
}

// Into a tensor of the device: by copy_, by an element, by an index from the host.
void written(Net& net, torch::optim::SGD& optimizer, int steps) {
  torch::Device device(torch::kCUDA);
  auto buffer = torch::zeros({4, 64}, device);
  auto order = torch::arange(4);
  auto order_there = torch::arange(4, device);
  for (int step = 0; step < steps; ++step) {
    auto frame = torch::zeros({64});
    buffer.copy_(frame);            // expect-high [unpinned-to-device]
    buffer[0] = frame;              // expect-high [unpinned-to-device]
    auto some = buffer.index({order});  // expect-high [unpinned-to-device] indices are on the host
    buffer[1] = 2.0;
    auto others = buffer.index({order_there});
    learn(net.forward(buffer + some + others), optimizer);
  }
}

// The host's own tensors, and a variable that only names another tensor.
void on_the_host(int steps) {
  auto mean = torch::zeros({4});
  for (int step = 0; step < steps; ++step) {
    auto x = torch::randn({4});
    mean = x;
    mean.copy_(x);
    mean[0] = x;
    mean = mean.to(torch::kCPU);
  }
}

int main() {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  Net net;
  torch::optim::SGD optimizer({net.weight}, 0.1);
  auto digits = torch::data::datasets::MNIST(".").map(torch::data::transforms::Stack<>());
  auto loader = torch::data::make_data_loader(digits, 64);
  for (int epoch = 0; epoch < 10; ++epoch) batches(net, loader, optimizer, device);
  std::vector<float> rows(256);
  noise(net, optimizer, device, 100);
  collected(net, optimizer, device, rows.data(), 100);
  written(net, optimizer, 100);
  on_the_host(100);
}
