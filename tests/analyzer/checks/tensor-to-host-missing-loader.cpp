// The loader's header is missing: what the training loop does with its batches is told all the same.
// status: partial
#include <missing/data_loader.h>
#include <torch/torch.h>

#include <iostream>

void train(torch::nn::Linear net, torch::optim::Adam& optimizer, torch::Device device) {
  data::Loader loader(data::Options().batch_size(32));
  Progress bar("training", loader.size());
  double total = 0;
  long rows = 0;
  for (auto& batch : loader) {
    rows += batch.rows().data().size(0);
    auto x = batch.data.to(device);                                         // expect-high [unpinned-to-device]
    auto loss = torch::mse_loss(net->forward(x), batch.target.to(device));  // expect-high [unpinned-to-device]
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    total += loss.item<double>();  // expect-high [tensor-to-host]
    bar.update(1);
    if (bar.count() % args::get_int("every") == 0) bar.print(loss.item<double>());  // expect-low [tensor-to-host]
  }
}

int main(int argc, char** argv) {
  auto options = args::parse(argc, argv);
  if (options.count("help")) return 0;
  torch::Device device(torch::kCUDA);
  torch::nn::Linear net(1, 2);
  net->to(device);
  torch::optim::Adam optimizer(net->parameters(), 1e-3);
  for (int epoch = 0; epoch < args::get_int("epochs"); ++epoch) train(net, optimizer, device);
}
