// Loops over parameters, one operation each; and loops that are none of that.
#include <torch/torch.h>
#include <vector>

torch::Tensor total_norm(const std::vector<torch::Tensor>& parameters) {
  auto total = torch::zeros({1}, torch::kCUDA);
  for (const auto& p : parameters) total += p.grad().norm().pow(2.0);  // expect-high {{launches tensor operations for each element of 'parameters'}} [per-tensor-loop]
  return total.sqrt();
}

void zero(std::vector<torch::Tensor>& parameters) {
  for (auto& p : parameters) p.mutable_grad().zero_();  // expect-high [per-tensor-loop]
}

void train(torch::nn::Linear& net, int steps) {
  auto parameters = net->parameters();
  for (int step = 0; step < steps; ++step) {
    auto loss = net->forward(torch::randn({4, 4}, torch::kCUDA)).mean();
    loss.backward();
    total_norm(parameters);
    zero(parameters);
    torch::_foreach_zero_(parameters);
  }
}

// Layers: each output is the next one's input.
torch::Tensor forward(std::vector<torch::nn::Linear>& layers, torch::Tensor x, int steps) {
  for (int step = 0; step < steps; ++step) {
    auto h = x;
    for (auto& layer : layers) h = torch::relu(layer->forward(h));
    h.mean().backward();
  }
  return x;
}

// A sum over maps of features goes on from what it has, and gives out no launch to an element alone.
torch::Tensor merged(const std::vector<torch::Tensor>& maps) {
  torch::Tensor sum = maps[0];
  for (size_t i = 1; i < maps.size(); ++i) sum += maps[i];
  return sum;
}

// Setting a flag of each parameter launches nothing.
void freeze(torch::nn::Linear& net) {
  for (auto item : net->named_parameters()) item.value().set_requires_grad(false);
}

void train_merged(torch::nn::Linear& net, std::vector<torch::Tensor>& maps, int steps) {
  for (int step = 0; step < steps; ++step) {
    freeze(net);
    merged(maps).mean().backward();
    for (auto& map : maps) map += 1.0;  // expect-high [per-tensor-loop]
  }
}
