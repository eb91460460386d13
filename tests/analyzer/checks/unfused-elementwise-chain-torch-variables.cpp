// Chains through variables that are declared first, changed in place or seen through a view; and numbers in a tuple.
#include <torch/torch.h>

#include <tuple>

void declared_first(torch::nn::Linear net, torch::optim::Adam& o, int steps) {
  auto l = torch::rand({64, 8}, torch::kCUDA), r = torch::rand({64, 8}, torch::kCUDA);
  for (int step = 0; step < steps; ++step) {
    torch::Tensor width, height, area;
    width = (r - l).clamp_min(0.0);  // expect-high [unfused-elementwise-chain] 5 pointwise operations
    height = (l - r).clamp_min(0.0);
    area = width * height;
    net->forward(area).sum().backward();
    o.step();
  }
}

// Each part is read by a layer, too: one kernel for both would have to write it all the same.
void read_elsewhere(torch::nn::Linear net, torch::optim::Adam& o, int steps) {
  auto l = torch::rand({64, 8}, torch::kCUDA), r = torch::rand({64, 8}, torch::kCUDA);
  for (int step = 0; step < steps; ++step) {
    torch::Tensor width, area;
    width = (r - l).clamp_min(0.0);
    auto seen = net->forward(width);
    area = width * l;
    net->forward(area.matmul(seen)).sum().backward();
    o.step();
  }
}

void in_place(torch::nn::Linear net, torch::optim::Adam& o, double f, int steps) {
  auto x = torch::rand({64, 8}, torch::kCUDA);
  for (int step = 0; step < steps; ++step) {
    torch::Tensor noise = (x - x) + x;  // expect-high [unfused-elementwise-chain] 3 pointwise operations
    noise.mul_(f);
    torch::Tensor other = (x - x) + x;
    auto seen = net->forward(other);  // reads what mul_ then overwrites
    other.mul_(f);
    net->forward(noise.matmul(seen).matmul(other)).sum().backward();
    o.step();
  }
}

void through_a_view(torch::nn::Linear net, torch::optim::Adam& o, int steps) {
  auto x = torch::rand({64, 8}, torch::kCUDA);
  for (int step = 0; step < steps; ++step) {
    auto y = ((x - x).detach() + x) / 2.0;  // expect-high [unfused-elementwise-chain] 3 pointwise operations
    auto part = ((x - x).matmul(x) + x) / 2.0;
    net->forward(y.matmul(part)).sum().backward();
    o.step();
  }
}

// max() of two tensors works value by value; of one it goes over all of them.
void max_of_two(torch::nn::Linear net, torch::optim::Adam& o, int steps) {
  auto x = torch::rand({64, 8}, torch::kCUDA);
  for (int step = 0; step < steps; ++step) {
    auto y = net->forward(x);
    auto z = -torch::max(y * 2.0, x);  // expect-high [unfused-elementwise-chain] 3 pointwise operations
    auto w = -(y * 2.0).max();
    net->forward(z.matmul(w)).sum().backward();
    o.step();
  }
}

std::tuple<torch::Tensor, torch::Tensor, torch::Tensor> losses(torch::Tensor y, torch::Tensor t) {
  return {torch::mse_loss(y, t), y.sum(), t.matmul(y)};
}
void sums_in_a_tuple(torch::nn::Linear net, torch::optim::Adam& o, double w, int steps) {
  auto x = torch::rand({64, 8}, torch::kCUDA);
  for (int step = 0; step < steps; ++step) {
    auto l = losses(net->forward(x), x);
    auto a = std::get<0>(l) * w, b = std::get<1>(l) * w;
    auto loss = a + b + a;  // one number each
    auto c = std::get<2>(l) * w, d = std::get<2>(l) * w;  // expect-high [unfused-elementwise-chain]
    auto whole = c + d + c;
    loss.backward();
    whole.sum().backward();
    o.step();
  }
}

// What a loss module gives is one number, too; what a layer gives is not.
void loss_module(torch::nn::Linear net, torch::nn::MSELoss criterion, torch::optim::Adam& o, double w, int steps) {
  auto x = torch::rand({64, 8}, torch::kCUDA);
  for (int step = 0; step < steps; ++step) {
    auto loss = criterion(net->forward(x), x) * w / 2.0;
    auto again = criterion(net->forward(x), x) * w / 2.0;
    auto all = loss + again;
    auto rows = net(x) * w / 2.0 + x;  // expect-high [unfused-elementwise-chain] 3 pointwise operations
    all.backward();
    net->forward(rows).sum().backward();
    o.step();
  }
}

// t[i] = x writes into t: a fill for each environment, and no new value for the next iteration. A sum goes on from the
// one before.
void fill_each(torch::nn::Linear net, torch::optim::Adam& o, const std::vector<int>& done, int steps, int envs) {
  for (int step = 0; step < steps; ++step) {
    auto dones = torch::zeros({8, 1}, torch::kCUDA);
    auto last = torch::zeros({8, 1}, torch::kCUDA);
    for (int i = 0; i < envs; ++i) dones[i][0] = done[i];  // expect-high [per-tensor-loop]
    for (int i = 0; i < envs; ++i) last = last.matmul(dones[i]);
    net->forward(dones.matmul(last)).sum().backward();
    o.step();
  }
}
