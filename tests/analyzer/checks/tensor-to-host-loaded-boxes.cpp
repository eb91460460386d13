// Annotations that a loader puts together from the elements of an array stay on the CPU.
#include <torch/torch.h>

#include <tuple>
#include <vector>

using Boxes = std::tuple<torch::Tensor, torch::Tensor>;
using Batch = std::tuple<torch::Tensor, std::vector<Boxes>>;

class Loader {
 public:
  bool next(Batch& batch) {
    if (count_++ == 100) return false;
    auto* examples = new std::tuple<torch::Tensor, Boxes>[4];
    for (int i = 0; i < 4; ++i) get(i, examples[i]);
    std::vector<Boxes> boxes;
    boxes.push_back(std::get<1>(examples[0]));
    for (int i = 1; i < 4; ++i) {
      auto example = examples[i];
      boxes.push_back(std::get<1>(example));
    }
    batch = {std::get<0>(examples[0]), boxes};
    delete[] examples;
    return true;
  }

 private:
  void get(int number, std::tuple<torch::Tensor, Boxes>& example) {
    torch::Tensor ids = torch::zeros({number}), corners = torch::zeros({number, 4});
    example = {torch::rand({3, 8}), {ids, corners}};
  }
  int count_ = 0;
};

float largest(const std::vector<Boxes>& boxes) {
  float most = 0;
  torch::Tensor ids, corners;
  for (const Boxes& one : boxes) {
    std::tie(ids, corners) = one;
    most = std::max(most, ids[0].item<float>() + corners[0][0].item<float>());
  }
  return most;
}

int main() {
  torch::Device device(torch::kCUDA);
  torch::nn::Linear net(8, 2);
  net->to(device);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  Loader loader;
  Batch batch;
  while (loader.next(batch)) {
    torch::Tensor images = std::get<0>(batch).to(device);  // expect-high [unpinned-to-device]
    std::vector<Boxes> boxes = std::get<1>(batch);
    optimizer.zero_grad();
    torch::Tensor loss = net->forward(images).sum() * largest(boxes);
    loss.backward();
    optimizer.step();
  }
}
