// A mask is one wherever it comes from: a parameter, a field, a function's result. An index stays an index.
#include <torch/torch.h>

torch::Tensor keep(const torch::Tensor& x, const torch::Tensor& chosen) { return x.index({chosen}); }

torch::Tensor pick(const torch::Tensor& x, const torch::Tensor& order) { return x.index({order}); }

torch::Tensor is_large(const torch::Tensor& x) { return x > 1; }

struct Pruner {
  torch::Tensor dead, order;
  void find(const torch::Tensor& x) {
    dead = x > 0;
    order = x.argmax(0);
  }
  torch::Tensor without(const torch::Tensor& x) { return x.index({~dead}); }
  torch::Tensor of(const torch::Tensor& x) { return x.index({dead}); }
  torch::Tensor sorted(const torch::Tensor& x) { return x.index({order}); }
};

int main() {
  torch::Tensor x = torch::rand({64}, torch::kCUDA);
  Pruner pruner;
  for (int step = 0; step < 1000; ++step) {
    x = x.matmul(x);
    torch::Tensor chosen = x > 0.5;
    torch::Tensor y = keep(x, chosen);  // expect-high {{'index'}} [tensor-to-host]
    torch::Tensor z = pick(x, x.argmax(0));
    pruner.find(x);
    y = pruner.without(x);  // expect-high {{'index'}} [tensor-to-host]
    y = pruner.of(x);       // expect-high {{'index'}} [tensor-to-host]
    y = pruner.sorted(x);
    y = x.index({is_large(x)});  // expect-high {{'index'}} [tensor-to-host]
  }
}
