// main() only runs the network; the class's train() is called by nobody that was read. Its waits may matter.
#include <torch/torch.h>

class Detector {
 public:
  Detector() { net_->to(torch::kCUDA); }
  float train(int steps) {
    torch::optim::SGD optimizer(net_->parameters(), 0.1);
    float sum = 0;
    for (int step = 0; step < steps; ++step) {
      optimizer.zero_grad();
      torch::Tensor loss = net_->forward(torch::rand({64, 8}, torch::kCUDA)).sum();
      loss.backward();
      optimizer.step();
      sum += loss.item<float>();  // expect-medium [tensor-to-host]
    }
    return sum;
  }
  // Nobody calls it, and it trains nothing.
  float compare(int rounds) {
    float sum = 0;
    for (int round = 0; round < rounds; ++round)
      sum += net_->forward(torch::rand({64, 8}, torch::kCUDA)).sum().item<float>();  // expect-low [tensor-to-host]
    return sum;
  }
  float detect(const torch::Tensor& image) { return net_->forward(image).sum().item<float>(); }  // expect-high [tensor-to-host]

 private:
  torch::nn::Linear net_{8, 2};
};

int main(int argc, char**) {
  Detector detector;
  float sum = 0;
  for (int i = 0; i < 1000 * argc; ++i) sum += detector.detect(torch::rand({64, 8}, torch::kCUDA));
  return sum > 0;
}
