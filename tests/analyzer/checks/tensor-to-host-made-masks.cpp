// Masks that operations make of masks, or by their type; and an element of the GPU that is stored in a tensor of the
// CPU.
#include <torch/torch.h>

torch::Tensor loss_of(torch::Tensor out, torch::Tensor targets, torch::nn::Linear& net) {
  auto near = out > 1;
  auto ones = torch::ones_like(near[0], torch::kBool);
  auto all = torch::stack({ones, near[0], near[1]});
  auto kept = targets.index({all});  // expect-high {{size only the GPU knows}} [tensor-to-host]
  auto rows = torch::stack({out.argmax(1), out.argmax(1)});
  return kept.sum() + targets.index({rows}).sum();
}

void train(torch::nn::Linear& net, torch::optim::SGD& optimizer, int steps) {
  net->to(torch::kCUDA);
  auto targets = torch::rand({32, 10}, torch::kCUDA);
  auto scales = torch::zeros({32});
  auto on_gpu = torch::zeros({32}, torch::kCUDA);
  for (int step = 0; step < steps; ++step) {
    auto out = net->forward(torch::rand({32, 10}, torch::kCUDA));
    auto loss = loss_of(out, targets, net);
    scales[step % 32] = targets[step % 32][2];  // expect-high [tensor-to-host]
    on_gpu[step % 32] = targets[step % 32][2];
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
}
