// The norm of all gradients: each iteration sums up a tensor of its own, whose result is added to one number.
#include <torch/torch.h>

#include <vector>

using Tensor = torch::Tensor;

struct Group {
  std::vector<Tensor> parameters;
};

Tensor gradient_norm(std::vector<Group>& groups) {
  Tensor norm;
  bool first = true;
  for (auto& group : groups) {
    for (auto& parameter : group.parameters) {  // expect-high {{of 'group.parameters'}} [per-tensor-loop]
      auto gradient = parameter.grad();
      if (!gradient.defined()) continue;
      if (first) {
        norm = gradient.square().sum();
        first = false;
      } else {
        norm += gradient.square().sum();
      }
    }
  }
  return norm.sqrt();
}

Tensor sum_of_squares(std::vector<Tensor>& tensors) {
  Tensor sum;
  for (auto& tensor : tensors) {  // expect-high [per-tensor-loop]
    if (sum.defined())
      sum = sum + tensor.square().sum();
    else
      sum = tensor.square().sum();
  }
  return sum;
}

// The last one's result is the next one's input.
Tensor recurrence(std::vector<Tensor>& weights, Tensor x) {
  Tensor h;
  for (auto& weight : weights) {
    if (h.defined())
      h = torch::relu(h * weight);
    else
      h = torch::relu(x * weight);
  }
  return h;
}

void train(torch::nn::Linear& net, std::vector<Group>& groups, std::vector<Tensor>& tensors, Tensor x) {
  net->to(torch::kCUDA);
  x = x.to(torch::kCUDA);
  Tensor sum;
  for (int step = 0; step < 1000; ++step) {
    auto loss = net->forward(x).mean();
    loss.backward();
    sum = gradient_norm(groups) + sum_of_squares(tensors) + recurrence(tensors, x);
  }
}
