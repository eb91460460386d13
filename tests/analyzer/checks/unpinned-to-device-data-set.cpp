// A data set that moves its examples to the GPU itself: get() runs for each example, in the loop over the batches.
#include <torch/torch.h>

#include <vector>

using torch::Tensor;
using torch::data::Example;

Tensor load(const std::vector<float>& pixels, size_t i) {
  auto image = torch::from_blob(const_cast<float*>(pixels.data()) + i * 784, {784}).clone();
  return image.to(torch::kCUDA);  // expect-high [unpinned-to-device]
}

struct Images : torch::data::datasets::Dataset<Images> {
  std::vector<float> pixels;
  Example<> get(size_t i) override {
    auto label = torch::zeros({1});
    return {load(pixels, i), label.to(torch::kCUDA)};  // expect-high [unpinned-to-device]
  }
};

// Stays on the CPU, whatever it does there.
struct Texts : torch::data::datasets::Dataset<Texts> {
  std::vector<float> words;
  Example<> get(size_t i) override {
    auto text = torch::from_blob(words.data() + i, {1}).clone();
    return {(text - 1) * 2, torch::zeros({1})};
  }
};

template <typename Loader>
void train(Loader& loader, torch::nn::Linear& net, torch::optim::SGD& optimizer) {
  for (auto& batch : *loader) {
    torch::mse_loss(net->forward(batch.data), batch.target).backward();
    optimizer.step();
  }
}

void train_on_texts(torch::nn::Linear& net, torch::optim::SGD& optimizer) {
  auto loader = torch::data::make_data_loader(Texts().map(torch::data::transforms::Stack<>()), 64);
  for (auto& batch : *loader) {
    torch::mse_loss(net->forward(batch.data.to(torch::kCUDA)), batch.target.sum()).backward();  // expect-high [unpinned-to-device]
    optimizer.step();
  }
}

int main() {
  torch::nn::Linear net(784, 1);
  net->to(torch::kCUDA);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  auto loader = torch::data::make_data_loader(Images().map(torch::data::transforms::Stack<>()), 64);
  for (int epoch = 0; epoch < 10; ++epoch) train(loader, net, optimizer);
  train_on_texts(net, optimizer);
}
