// unfused-elementwise-chain in LibTorch: each expectation stands on the line where the chain begins.
#include <torch/torch.h>

using torch::Tensor;

void learn(Tensor loss, torch::optim::SGD& optimizer) {
  optimizer.zero_grad();
  loss.backward();
  optimizer.step();
}

// Over several statements, by methods and operators; the last value goes on to something else.
Tensor advantage(const Tensor& rewards, const Tensor& values, const Tensor& next, const Tensor& running) {
  auto delta = rewards + next * 0.99 - values;  // expect-high [unfused-elementwise-chain] 5 pointwise operations
  auto result = delta + running * 0.95;
  return result;
}

// A named activation, written out.
Tensor swish(const Tensor& x) {
  return x * torch::relu(x) / (x.square() + x);  // expect-high [unfused-elementwise-chain]
}

// A loss: two operations and the sum of their result.
Tensor loss_of(const Tensor& a, const Tensor& b) {
  return (a - b).square().mean();  // expect-high [unfused-elementwise-chain] and a sum of their result
}

// In place, on one tensor.
void decay(Tensor weight, const Tensor& gradient) {
  torch::NoGradGuard guard;
  weight *= gradient;  // expect-high [unfused-elementwise-chain]
  weight += gradient;
  weight.add_(gradient);
}

// One number each: nothing is moved.
Tensor total(const Tensor& x, const Tensor& y) {
  auto first = x.mean();
  auto second = y.mean();
  return first + second * 0.5 - first * 2.0;
}

// Others read what stands between.
Tensor kept(const Tensor& x, const Tensor& y) {
  auto product = x * y;
  auto other = product.matmul(y);
  auto shifted = product + x;
  auto more = shifted.matmul(x);
  return shifted + other + more.sum();  // two in a row
}

// On the host.
Tensor on_the_host() {
  auto x = torch::randn({64});
  return x * x + x - x * 2.0;
}

int main() {
  torch::Device device(torch::kCUDA);
  auto w = torch::randn({64}, device), v = torch::randn({64}, device);
  torch::optim::SGD optimizer({w}, 0.1);
  auto once = w * v + w - v * 3.0;
  for (int step = 0; step < 1000; ++step) {
    auto a = advantage(w, v, w, v);
    decay(w, v);
    auto host = on_the_host();
    learn(total(a, swish(w)) + loss_of(w, v) + total(w, v) + kept(w, v).sum(), optimizer);
  }
}
