// An element of a pair or tuple that is moved to the GPU, by any of its names, is there afterwards; the other element
// is not. A list inside braces is what the container holds.
#include <torch/torch.h>

#include <utility>
#include <vector>

using torch::Tensor;

std::tuple<Tensor, Tensor> two(Tensor all) { return {all[0], all[1]}; }
std::pair<Tensor, Tensor> both(Tensor all) { return {all[0], all[1]}; }
struct Batch {
  Tensor x;
  std::vector<Tensor> masks;
};
Batch make() { return Batch{torch::ones({4}), {torch::ones({4}), torch::zeros({4})}}; }

void train(torch::nn::Linear& net, Tensor all, int steps) {
  torch::Device device(torch::kCUDA);
  net->to(device);
  all = all.to(torch::kCPU);
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    auto [x, y] = two(all);
    x = x.to(device);                                // expect-high [unpinned-to-device]
    sum += net->forward(x).mean().item<double>();    // expect-high [tensor-to-host]
    sum += y.mean().item<double>();
    auto p = both(all);
    p.first = p.first.to(device);                    // expect-high [unpinned-to-device]
    sum += p.first.mean().item<double>();            // expect-high [tensor-to-host]
    sum += p.second.mean().item<double>();
    auto t = two(all);
    std::get<1>(t) = std::get<1>(t).to(device);      // expect-high [unpinned-to-device]
    sum += std::get<1>(t).mean().item<double>();     // expect-high [tensor-to-host]
    sum += std::get<0>(t).mean().item<double>();
    auto batch = make();
    auto mask = batch.masks[0].to(device);           // expect-high [unpinned-to-device]
    sum += net->forward(mask).mean().item<double>(); // expect-high [tensor-to-host]
  }
}
