// A loader that pins its batches only if it is told to: without non_blocking the host waits for the copy either way.
#include <torch/torch.h>

#include <tuple>

using Batch = std::tuple<torch::Tensor, torch::Tensor>;

class Loader {
 public:
  explicit Loader(int size, bool pin_memory = false) : size_(size), pin_memory_(pin_memory) {}
  bool next(Batch& batch) {
    if (count_++ == size_) return false;
    torch::Tensor images = torch::rand({64, 8});
    if (pin_memory_) images = images.pin_memory();
    batch = {images, torch::zeros({64}, torch::kLong)};
    return true;
  }
  bool next_pinned(Batch& batch) {
    if (count_++ == size_) return false;
    torch::Tensor images = torch::rand({64, 8});
    images = images.pin_memory();
    batch = {images, torch::zeros({64}, torch::kLong)};
    return true;
  }

 private:
  int size_, count_ = 0;
  bool pin_memory_;
};

class Slot {
 public:
  Slot() {
    images_ = torch::rand({64, 8});
    images_ = images_.pin_memory();
  }
  torch::Tensor images_;
};

void learn(torch::nn::Linear& net, torch::optim::SGD& optimizer, const torch::Tensor& images) {
  optimizer.zero_grad();
  net->forward(images).sum().backward();
  optimizer.step();
}

void train(torch::nn::Linear& net, bool pin_memory) {
  torch::Device device(torch::kCUDA);
  net->to(device);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  Loader loader(100, pin_memory);
  Batch batch, other, pinned;
  while (loader.next(batch))
    learn(net, optimizer, std::get<0>(batch).to(device));  // expect-medium {{pinned only if a condition holds}} [unpinned-to-device]
  while (loader.next(other)) learn(net, optimizer, std::get<0>(other).to(device, /*non_blocking=*/true));
  Batch demanded;
  while (loader.next(demanded)) learn(net, optimizer, std::get<0>(demanded).to(device, /*non_blocking=*/pin_memory));
  while (loader.next_pinned(pinned)) learn(net, optimizer, std::get<0>(pinned).to(device));
  Slot slot;
  for (int step = 0; step < 100; ++step) learn(net, optimizer, slot.images_.to(device));
}

int main(int argc, char**) {
  torch::nn::Linear net(8, 2);
  train(net, argc > 1);
}
