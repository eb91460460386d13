// unpinned-to-device, tensor-to-host: the device is a string of the configuration, which may name a GPU. A constant
// that names the CPU names none.
#include <torch/torch.h>

#include <vector>

struct Config {
  std::string device = "cpu";  // --device=cuda:0
};

class Model {
 public:
  Model(const Config& config, const std::string& device) : device_(device), net_(16, 4) { net_->to(device_); }

  double step(torch::optim::SGD& optimizer, std::vector<float>& batch) {
    auto input = torch::from_blob(batch.data(), {4, 16}).clone().to(device_);  // expect-high [unpinned-to-device]
    auto loss = net_->forward(input).mean();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    return loss.item<double>();  // expect-high [tensor-to-host]
  }

 private:
  torch::Device device_;
  torch::nn::Linear net_;
};

double on_cpu(torch::optim::SGD& optimizer, std::vector<float>& batch, int steps) {
  const std::string name = "cpu";
  torch::Device device(name);
  torch::nn::Linear net(16, 4);
  net->to(device);
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    auto input = torch::from_blob(batch.data(), {4, 16}).clone().to(device);
    auto loss = net->forward(input).mean();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    sum += loss.item<double>();
  }
  return sum;
}

int main(int argc, char** argv) {
  Config config;
  if (argc > 1) config.device = argv[1];
  std::vector<float> batch(64);
  Model model(config, config.device);
  torch::nn::Linear net(16, 4);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  for (int i = 0; i < 1000; ++i) model.step(optimizer, batch);
  on_cpu(optimizer, batch, 1000);
}
