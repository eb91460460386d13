// Several loaders of one program: one that pins its batches says nothing of the others.
#include <torch/torch.h>

#include <memory>
#include <vector>

using Pair = torch::data::Example<>;

struct Pictures : torch::data::datasets::Dataset<Pictures> {
  torch::Tensor x = torch::randn({1000, 8}), y = torch::randn({1000});
  Pair get(size_t i) override { return {x[i], y[i]}; }
};

struct Pinned : torch::data::transforms::Collation<Pair> {
  Pair apply_batch(std::vector<Pair> examples) override {
    std::vector<torch::Tensor> a, b;
    for (auto& e : examples) {
      a.push_back(e.data);
      b.push_back(e.target);
    }
    return {torch::stack(a).pin_memory(), torch::stack(b)};
  }
};

// The class leaves the work to a function, so that its own body shows no tensor.
Pair pinned_pair(const torch::Tensor& a, const torch::Tensor& b) { return {a.pin_memory(), b.pin_memory()}; }

struct PinnedBatches : torch::data::datasets::BatchDataset<PinnedBatches, Pair> {
  torch::Tensor x = torch::rand({100, 4});
  Pair get_batch(std::vector<size_t> rows) override { return pinned_pair(x.slice(0, 0, rows.size()), x); }
};

void train(torch::nn::Linear net, torch::optim::Adam& o) {
  net->to(torch::kCUDA);
  auto pins = torch::data::make_data_loader(Pictures().map(Pinned()), 32);
  for (auto& batch : *pins) {
    auto x = batch.data.to(torch::kCUDA, true);
    auto y = batch.target.to(torch::kCUDA);  // expect-high [unpinned-to-device]
    net->forward(x).matmul(y).sum().backward();
    o.step();
  }
  auto stacks = torch::data::make_data_loader(Pictures().map(torch::data::transforms::Stack<>()), 32);
  for (auto& batch : *stacks) {
    auto x = batch.data.to(torch::kCUDA, true);  // expect-high [unpinned-to-device]
    auto y = batch.target.pin_memory().to(torch::kCUDA, true);
    net->forward(x).matmul(y).sum().backward();
    o.step();
  }
  auto lists = torch::data::make_data_loader(Pictures(), 32);
  for (auto& batch : *lists) {
    std::vector<torch::Tensor> rows;
    for (auto& e : batch) rows.push_back(e.data);
    net->forward(torch::stack(rows).to(torch::kCUDA)).sum().backward();  // expect-high [unpinned-to-device]
    o.step();
  }
  auto ready = torch::data::make_data_loader(PinnedBatches(), 8);
  for (auto& batch : *ready) {
    net->forward(batch.data.to(torch::kCUDA, true)).sum().backward();
    o.step();
  }
  auto digits = torch::data::make_data_loader(
      torch::data::datasets::MNIST("d").map(torch::data::transforms::Stack<>()), 8);
  for (auto it = digits->begin(); it != digits->end(); ++it) {
    auto x = it->data.to(torch::kCUDA);  // expect-high [unpinned-to-device]
    net->forward(x).sum().backward();
    o.step();
  }
  // A function object may do anything.
  auto by_hand = [](Pair e) {
    e.data = e.data.pin_memory();
    return e;
  };
  auto mapped = torch::data::make_data_loader(torch::data::datasets::MNIST("d")
                                                  .map(torch::data::transforms::Stack<>())
                                                  .map(torch::data::transforms::BatchLambda<Pair>(by_hand)),
                                              8);
  for (auto& batch : *mapped) {
    net->forward(batch.data.to(torch::kCUDA, true)).sum().backward();
    o.step();
  }
}

int main() {
  torch::nn::Linear net(8, 2);
  torch::optim::Adam o(net->parameters(), 1e-3);
  train(net, o);
}
