// Where tensors live that a container holds: one that is handed in, and one that an operation gives back.
#include <torch/torch.h>
#include <vector>

void each(torch::nn::Linear net, torch::optim::Adam& o, std::vector<torch::Tensor>& batches, torch::Device device) {
  for (auto& batch : batches) {
    net->forward(batch.to(device)).sum().backward();  // expect-high [unpinned-to-device]
    o.step();
  }
}
void numbered(torch::nn::Linear net, torch::optim::Adam& o, const std::vector<torch::Tensor>& batches,
              torch::Device device) {
  for (size_t i = 0; i < batches.size(); ++i) {
    net->forward(batches[i].to(device)).sum().backward();  // expect-high [unpinned-to-device]
    o.step();
  }
}
void there_already(torch::nn::Linear net, torch::optim::Adam& o, std::vector<torch::Tensor>& batches,
                   torch::Device device) {
  for (auto& batch : batches) {
    net->forward(batch.to(device)).sum().backward();
    o.step();
  }
}
void parted(torch::nn::Linear net, torch::optim::Adam& o, int steps, torch::Device device) {
  auto x = torch::rand({64, 8});
  auto parts = x.split(8);
  auto moved = x.to(device).split(8);
  for (int i = 0; i < steps; ++i) {
    auto a = parts[i].to(device);        // expect-high [unpinned-to-device]
    auto b = x.split(4)[0].to(device);   // expect-high [unpinned-to-device]
    auto c = moved[i].to(device);
    net->forward(a.matmul(b).matmul(c)).sum().backward();
    o.step();
  }
}
void containers(torch::nn::Linear net, torch::optim::Adam& o, int steps) {
  torch::Device device(torch::cuda::is_available() ? torch::kCUDA : torch::kCPU);
  std::vector<torch::Tensor> on_host, on_gpu;
  on_host.push_back(torch::rand({64, 8}));
  on_gpu.push_back(torch::rand({64, 8}, device));
  each(net, o, on_host, device);
  numbered(net, o, on_host, device);
  there_already(net, o, on_gpu, device);
  parted(net, o, steps, device);
}
