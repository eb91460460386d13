// The data set's header is missing, so that no candidate of make_data_loader() accepts it. The loops over its batches
// are reported all the same, also the loop in a template of the program's own.
// status: partial
#include <missing/cats.h>
#include <torch/torch.h>

#include <cstdio>

template <typename Loader>
void train(torch::nn::Linear net, Loader& loader, torch::optim::SGD& optimizer, torch::Device device, long rounds) {
  for (auto& batch : loader) {
    optimizer.zero_grad();
    auto images = batch.data.to(device);  // expect-high [unpinned-to-device]
    auto loss = torch::mse_loss(net->forward(images), images);
    loss.backward();
    optimizer.step();
    std::printf("%ld %f\n", rounds, loss.template item<float>());  // expect-high [tensor-to-host]
  }
}

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::Linear net(1, 2);
  net->to(device);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  auto images = CatImages("cats", /*train=*/true).map(torch::data::transforms::Stack<>());
  auto loader = torch::data::make_data_loader<torch::data::samplers::RandomSampler>(
      std::move(images), torch::data::DataLoaderOptions().batch_size(64).workers(2));
  auto unmoved = torch::data::make_data_loader(cats::Images("more"), 64);
  for (int epoch = 0; epoch < 10; ++epoch) {
    train(net, *loader, optimizer, device, epoch);
    for (const auto& batch : *unmoved) {
      optimizer.zero_grad();
      auto output = net->forward(batch.data.to(device));  // expect-high [unpinned-to-device]
      auto loss = torch::mse_loss(output, torch::zeros({1}, device));
      loss.backward();
      optimizer.step();
      std::printf("%f\n", loss.item<float>());  // expect-high [tensor-to-host]
    }
  }
}
