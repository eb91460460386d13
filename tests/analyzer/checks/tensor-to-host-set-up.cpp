// Loops that give the GPU nothing to compute: over the parts of a program, made ready before it trains, and over tensors
// that are printed or fetched.
#include <torch/torch.h>

#include <iostream>
#include <vector>

struct Part {
  virtual ~Part() = default;
  virtual int load(const std::vector<torch::Tensor>& states, int at) = 0;
  virtual torch::Tensor render(const torch::Tensor& x) = 0;
};
struct Field : Part {
  int load(const std::vector<torch::Tensor>& states, int at) override {
    pool = states[at].clone().to(torch::kCUDA);
    volumes = states[at + 1].to(torch::kCUDA).sum().item<int>();
    return at + 2;
  }
  torch::Tensor render(const torch::Tensor& x) override {
    volumes += x.sum().item<int>();  // expect-high [tensor-to-host]
    return pool.matmul(x);
  }
  torch::Tensor pool;
  int volumes = 0;
};
struct Other : Part {
  int load(const std::vector<torch::Tensor>& states, int at) override { return at; }
  torch::Tensor render(const torch::Tensor& x) override { return x; }
};

struct Renderer {
  void load(const std::vector<torch::Tensor>& states) {
    int at = 0;
    for (Part* part : parts) at = part->load(states, at);
  }
  torch::Tensor render(torch::Tensor x) {
    for (Part* part : parts) x = part->render(x);
    return x;
  }
  // Nobody calls it.
  void show() {
    for (auto& x : net->parameters()) std::cout << x;
    for (auto& x : net->parameters()) values.push_back(x.cpu());
  }
  std::vector<Part*> parts;
  torch::nn::Linear net{8, 8};
  std::vector<torch::Tensor> values;
};

// The data that a program is checked with are no parts of it.
double check(Renderer& renderer, const std::vector<torch::Tensor>& all) {
  double sum = 0;
  for (const torch::Tensor& x : all) sum += renderer.render(x.to(torch::kCUDA)).sum().item<double>();  // expect-low [tensor-to-host]
  return sum;
}

int main() {
  Renderer renderer;
  Field field;
  Other other;
  renderer.parts = {&field, &other};
  std::vector<torch::Tensor> states;
  renderer.load(states);
  torch::optim::Adam o(renderer.net->parameters(), 0.1);
  auto x = torch::rand({64, 8}, torch::kCUDA);
  for (int step = 0; step < 1000; ++step) {
    renderer.render(x).sum().backward();
    o.step();
  }
  return check(renderer, states) > 0;
}
