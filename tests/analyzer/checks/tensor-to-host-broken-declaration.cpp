// Variables of classes that cannot be read, as where a header is missing, cost no more than what they stand for.
// status: partial
#include <torch/torch.h>

#include <vector>

class Broken : public Missing {
 public:
  Broken(int, int);
};
struct Caption {
  Missing words;
};
template <class T>
struct Wrapped : T {
  Wrapped(int, int);
};

void train(torch::nn::Linear net, torch::optim::Adam& o) {
  Broken one(1, 2);
  Missing two(1, 2);
  std::vector<torch::Tensor> three(missing(1), 2);
  Caption four = missing();
  Wrapped<Missing> five(1, four.words.size());
  torch::nn::Linear six(1, four.words.size());
  auto x = torch::rand({8}, torch::kCUDA);
  double total = 0;
  for (int i = 0; i < 100; ++i) {
    auto loss = net->forward(x).sum();
    loss.backward();
    o.step();
    total += loss.item<double>();  // expect-high [tensor-to-host]
  }
}
