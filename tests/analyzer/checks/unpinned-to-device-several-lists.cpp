// A data set of several lists that one function gives back in a pair or a tuple: images and labels of the host.
#include <torch/torch.h>

#include <tuple>
#include <utility>
#include <vector>

using torch::Tensor;
using Lists = std::pair<std::vector<Tensor>, std::vector<Tensor>>;

Lists read_data(int n) {
  std::vector<Tensor> images, labels;
  if (n == 0) return {images, labels};
  for (int i = 0; i < n; ++i) {
    images.push_back(torch::zeros({3, 32, 32}));
    labels.push_back(torch::ones({4}));
  }
  return {images, labels};
}

std::tuple<std::vector<Tensor>, std::vector<Tensor>, int> read_tuple(int n) {
  std::vector<Tensor> images, labels;
  for (int i = 0; i < n; ++i) images.push_back(torch::zeros({3, 32, 32}));
  return std::make_tuple(images, labels, n);
}

Lists on_the_device(int n, torch::Device device) {
  std::vector<Tensor> images, labels;
  for (int i = 0; i < n; ++i) {
    images.push_back(torch::zeros({3, 32, 32}, device));
    labels.push_back(torch::ones({4}, device));
  }
  return {images, labels};
}

void step(torch::nn::Linear& net, torch::optim::SGD& optimizer, Tensor input) {
  auto loss = net->forward(input).sum();
  loss.backward();
  optimizer.step();
}

void in_batches(torch::nn::Linear& net, torch::optim::SGD& optimizer, std::vector<Tensor>& images,
                torch::Device device) {
  for (size_t start = 0; start < images.size(); start += 8) {
    std::vector<Tensor> batch;
    for (size_t i = start; i < start + 8; ++i) batch.push_back(images[i]);
    step(net, optimizer, torch::stack(batch).to(device));  // expect-high [unpinned-to-device]
  }
}

void one_by_one(torch::nn::Linear& net, torch::optim::SGD& optimizer, const std::vector<Tensor>& images,
                torch::Device device) {
  for (const Tensor& image : images) step(net, optimizer, image.to(device));  // expect-high [unpinned-to-device]
}

void of_the_device(torch::nn::Linear& net, torch::optim::SGD& optimizer, const std::vector<Tensor>& images,
                   torch::Device device) {
  for (const Tensor& image : images) step(net, optimizer, image.to(device));
}

void train(torch::nn::Linear& net, torch::optim::SGD& optimizer, torch::Device device) {
  auto [images, labels] = read_data(1000);
  for (size_t i = 0; i < images.size(); ++i)
    step(net, optimizer, images[i].to(device));  // expect-high [unpinned-to-device]
  auto [first, second, count] = read_tuple(1000);
  for (int i = 0; i < count; ++i) step(net, optimizer, first[i].to(device));  // expect-high [unpinned-to-device]
  auto data = read_data(1000);
  for (auto& image : data.first) step(net, optimizer, image.to(device));  // expect-high [unpinned-to-device]
  in_batches(net, optimizer, images, device);
  one_by_one(net, optimizer, data.first, device);

  auto [ready, targets] = on_the_device(1000, device);
  for (size_t i = 0; i < ready.size(); ++i) step(net, optimizer, ready[i].to(device));
  of_the_device(net, optimizer, ready, device);
}

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::Linear net(32, 4);
  net->to(device);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  train(net, optimizer, device);
}
