// The device is named by a text that is put together: which GPU, the configuration says.
#include <torch/torch.h>

#include <string>

struct Config {
  int integer(const char* key) const;
};

torch::Device device_of(const Config& config) {
  const int gpu = config.integer("gpu");
  if (gpu >= 0) {
    if (!torch::cuda::is_available()) throw 1;
    return torch::Device("cuda:" + std::to_string(gpu));
  }
  return torch::kCPU;
}

class Trainer {
 public:
  explicit Trainer(const Config& config) : device_(device_of(config)) {}
  void train(torch::nn::Linear& model, torch::optim::SGD& optimizer, int steps) {
    model->to(device_);
    for (int step = 0; step < steps; ++step) {
      auto input = torch::zeros({64, 128});
      input = input.to(device_);  // expect-high [unpinned-to-device]
      optimizer.zero_grad();
      auto loss = model->forward(input).sum();
      loss.backward();
      optimizer.step();
      log(loss.item<float>());  // expect-high {{item}} [tensor-to-host]
    }
  }

 private:
  void log(float loss);
  torch::Device device_;
};

int main() {
  Config config;
  torch::nn::Linear model(128, 10);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  Trainer(config).train(model, optimizer, 1000);
}
