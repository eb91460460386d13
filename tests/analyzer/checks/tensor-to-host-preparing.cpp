// What a data set's own code computes of the file that it has read stays on the host until it is moved.
#include <torch/torch.h>

#include <fstream>
#include <string>
#include <tuple>

struct Label {
  torch::Tensor ids, boxes;
};
Label parse(const std::string& text);  // of another unit
torch::Tensor decode(const std::string& text);

// Called by a data set alone.
torch::Tensor inside(const torch::Tensor& boxes) { return (boxes > 0.0) & (boxes > 0.1) & (boxes > 0.2); }

// Noise is added on the device of the picture: one stage calls the next.
torch::Tensor noisy(const torch::Tensor& picture) {
  auto noise = torch::rand({8}).to(picture.device());
  return picture * (noise > 0.5) + noise * (noise > 0.9);
}
torch::Tensor stages(const torch::Tensor& picture, int count) {
  return count ? noisy(stages(picture, count - 1)) : picture;
}

struct Data {
  void get(int i, torch::Tensor& x, torch::Tensor& y) {
    std::string text;
    std::getline(file, text);
    Label l = parse(text);
    y = l.ids.masked_select(inside(l.boxes));
    x = stages(decode(text), 3);
  }
  std::ifstream file;
};

// It reads a file, too, and works on the GPU: what it is handed may be there.
struct Augmented {
  torch::Tensor get() {
    std::string text;
    std::getline(file, text);
    auto noise = torch::rand({8}, torch::kCUDA);
    Label l = parse(text);
    return l.ids.masked_select(l.boxes > 0.0).matmul(noise);  // expect-high [tensor-to-host]
  }
  std::ifstream file;
};

// Stages of another picture, which training calls, too: where that lives nobody shows.
torch::Tensor shared_noise(const torch::Tensor& picture) {
  return picture.masked_select(picture > 0.5);  // expect-high [tensor-to-host]
}
torch::Tensor shared_stages(const torch::Tensor& picture, int count) {
  return count ? shared_noise(shared_stages(picture, count - 1)) : picture;
}

// It reads a file, but the tensor comes from the step that calls it.
double record(const torch::Tensor& loss, std::ifstream& limits) {
  double most = 0;
  limits >> most;
  return loss.item<double>() - most;
}

void train(torch::nn::Linear net, torch::nn::Sequential layers, torch::optim::Adam& o, Data& data, Augmented& more,
           std::ifstream& limits, int steps) {
  double total = 0;
  for (int i = 0; i < steps; ++i) {
    torch::Tensor x, y;
    data.get(i, x, y);
    auto there = x.to(torch::kCUDA);  // expect-high [unpinned-to-device]
    auto label = y.to(torch::kCUDA);  // expect-high [unpinned-to-device]
    auto loss = torch::mse_loss(shared_stages(layers->forward(there), 2), label);
    loss.matmul(more.get()).backward();
    total += record(loss, limits);  // expect-high [tensor-to-host]
    o.step();
  }
}
