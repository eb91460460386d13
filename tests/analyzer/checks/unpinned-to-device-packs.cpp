// Tensors that travel in a tuple, a pair, a container or an out-parameter keep the device that they were made on.
#include <torch/torch.h>

#include <array>
#include <tuple>
#include <utility>
#include <vector>

using Batch = std::tuple<torch::Tensor, torch::Tensor, int>;

struct Made {
  torch::Tensor a;
  int n;
};
Made made() { return {torch::zeros({4}), 2}; }
Made made_there() { return {torch::zeros({4}, torch::kCUDA), 2}; }
std::pair<torch::Tensor, torch::Tensor> both(const torch::Tensor& there) {
  return std::make_pair(torch::zeros({4}), there);
}
void fill(torch::Tensor& out) { out = torch::zeros({4}); }
void fill_there(torch::Tensor& out) { out = torch::zeros({4}, torch::kCUDA); }
void fill_rows(torch::Tensor& there) {
  for (int i = 0; i < 4; ++i) there[i] = torch::zeros({8});
}
void hand_on(torch::Tensor& out) { fill(out); }

// The project's own loader: its second tensor is on the GPU already.
struct Loader {
  bool operator()(Batch& batch) {
    if (++count > 100) return false;
    batch = {torch::zeros({64, 8}).clone(), torch::zeros({64}, torch::kCUDA), 1};
    return true;
  }
  int count = 0;
};

void tuples(torch::nn::Linear net, torch::optim::Adam& o, Loader& loader) {
  Batch batch;
  while (loader(batch)) {
    auto x = std::get<0>(batch).to(torch::kCUDA);  // expect-high [unpinned-to-device]
    auto y = std::get<1>(batch).to(torch::kCUDA);
    auto t = std::make_tuple(torch::zeros({4}), y);
    auto z = std::get<0>(t).to(torch::kCUDA);  // expect-high [unpinned-to-device]
    auto w = std::get<1>(t).to(torch::kCUDA);
    net->forward(x.matmul(y).matmul(z).matmul(w)).sum().backward();
    o.step();
  }
}

void pairs(torch::nn::Linear net, torch::optim::Adam& o, int steps) {
  auto there = torch::rand({4}, torch::kCUDA);
  for (int step = 0; step < steps; ++step) {
    auto p = both(there);
    auto a = p.first.to(torch::kCUDA);  // expect-high [unpinned-to-device]
    auto b = p.second.to(torch::kCUDA);
    auto [c, d] = both(there);
    auto e = c.to(torch::kCUDA);  // expect-high [unpinned-to-device]
    auto f = d.to(torch::kCUDA);
    torch::Tensor g, h;
    std::tie(g, h) = both(there);
    auto i = g.to(torch::kCUDA);  // expect-high [unpinned-to-device]
    auto j = h.to(torch::kCUDA);
    net->forward(torch::cat({a, b, e, f, i, j})).sum().backward();
    o.step();
  }
}

void bindings_and_parameters(torch::nn::Linear net, torch::optim::Adam& o, int steps) {
  for (int step = 0; step < steps; ++step) {
    auto [a, n] = made();
    auto x = a.to(torch::kCUDA);  // expect-high [unpinned-to-device]
    torch::Tensor b, c, d;
    fill(b);
    fill_there(c);
    hand_on(d);
    auto y = b.to(torch::kCUDA);  // expect-high [unpinned-to-device]
    auto z = c.to(torch::kCUDA);
    auto w = d.to(torch::kCUDA);  // expect-high [unpinned-to-device]
    torch::Tensor rows = torch::zeros({4, 8}, torch::kCUDA), kept = torch::zeros({4, 4, 8}, torch::kCUDA);
    if (step == 0) fill_rows(rows);
    kept[step % 4] = rows;
    torch::Tensor later = torch::zeros({4}, torch::kCUDA);
    auto v = later.to(torch::kCUDA);
    fill(later);
    net->forward(torch::cat({x, y, z, w, v})).sum().backward();
    o.step();
  }
}

void containers(torch::nn::Linear net, torch::optim::Adam& o, int n) {
  std::vector<torch::Tensor> buffer(n), there(n);
  for (int i = 0; i < n; ++i) buffer[i] = torch::zeros({1, 8});
  for (int i = 0; i < n / 2; ++i) buffer[i + n / 2] = buffer[i].view({8, 1});
  for (int i = 0; i < n; ++i) there[i] = torch::zeros({1, 8}, torch::kCUDA);
  for (int at = 0; at < n; at += 64) {
    std::vector<torch::Tensor> all{torch::zeros({4}), torch::zeros({4})};
    auto x = all[at % 2].to(torch::kCUDA);  // expect-high [unpinned-to-device]
    auto y = torch::cat(std::vector<torch::Tensor>(buffer.begin() + at, buffer.begin() + at + 64));
    auto z = y.to(torch::kCUDA);  // expect-high [unpinned-to-device]
    auto w = torch::cat(std::vector<torch::Tensor>(there.begin() + at, there.begin() + at + 64)).to(torch::kCUDA);
    net->forward(torch::cat({x, z, w})).sum().backward();
    o.step();
  }
}

std::array<torch::Tensor, 2> two(const torch::Tensor& there) { return {torch::zeros({4}), there}; }
std::array<torch::Tensor, 2> filled() {
  std::array<torch::Tensor, 2> out;
  out[0] = torch::zeros({4});
  out[1] = torch::ones({4});
  return out;
}
void arrays(torch::nn::Linear net, torch::optim::Adam& o, int steps) {
  auto there = torch::rand({4}, torch::kCUDA);
  for (int step = 0; step < steps; ++step) {
    auto [a, b] = two(there);
    auto x = a.to(torch::kCUDA);  // expect-high [unpinned-to-device]
    auto y = b.to(torch::kCUDA);
    std::array<torch::Tensor, 2> all{there, torch::zeros({4})};
    auto z = std::get<1>(all).to(torch::kCUDA);  // expect-high [unpinned-to-device]
    auto w = std::get<0>(all).to(torch::kCUDA);
    auto [c, d] = filled();
    auto u = d.to(torch::kCUDA);  // expect-high [unpinned-to-device]
    net->forward(torch::cat({x, y, z, w, c, u})).sum().backward();
    o.step();
  }
}

void fields(torch::nn::Linear net, torch::optim::Adam& o, int steps) {
  for (int step = 0; step < steps; ++step) {
    auto [a, n] = made_there();
    net->forward(a).sum().backward();
    o.step();
  }
}
