// A data set that moves its examples to the GPU itself, on the loader's own threads: nobody waits for it.
#include <torch/torch.h>

#include <vector>

using torch::data::Example;

struct Images : torch::data::datasets::Dataset<Images> {
  std::vector<float> pixels;
  Example<> get(size_t i) override {
    auto image = torch::from_blob(pixels.data() + i * 784, {784}).clone();
    return {image.to(torch::kCUDA), torch::zeros({1})};
  }
};

void train(torch::nn::Linear& net, torch::optim::SGD& optimizer) {
  auto options = torch::data::DataLoaderOptions(64);
  options.workers(4);
  auto loader = torch::data::make_data_loader(Images().map(torch::data::transforms::Stack<>()), options);
  for (int epoch = 0; epoch < 10; ++epoch) {
    for (auto& batch : *loader) {
      net->forward(batch.data).sum().backward();
      optimizer.step();
    }
  }
}

int main() {
  torch::nn::Linear net(784, 1);
  net->to(torch::kCUDA);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  train(net, optimizer);
}
