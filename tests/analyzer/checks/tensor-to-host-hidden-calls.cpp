// Waits behind calls that the source does not spell, and selections whose size only the GPU knows.
#include <torch/torch.h>
#include <algorithm>
#include <vector>

struct Clip : torch::autograd::Function<Clip> {
  static torch::Tensor forward(torch::autograd::AutogradContext*, torch::Tensor x) {
    const float largest = x.max().item<float>();  // expect-high [tensor-to-host]
    return largest > 1 ? x * (1 / largest) : x;
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext*,
                                                 torch::autograd::variable_list gradients) {
    const float norm = gradients[0].norm().item<float>();  // expect-high [tensor-to-host]
    return {gradients[0] * norm};
  }
};

// Never applied: nobody waits here.
struct Unused : torch::autograd::Function<Unused> {
  static torch::Tensor forward(torch::autograd::AutogradContext*, torch::Tensor x) { return x * x.max().item<float>(); }
};

struct Scoped {
  torch::Tensor value;
  ~Scoped() {
    if (value.isnan().any().item<bool>()) throw 1;  // expect-high [branch-on-device]
  }
};

void train(std::shared_ptr<torch::nn::Module> net, torch::Tensor input, int steps) {
  net->to(torch::kCUDA);
  torch::Tensor x = input.to(torch::kCUDA);
  std::vector<torch::Tensor> parameters = net->parameters();
  for (int step = 0; step < steps; ++step) {
    torch::Tensor loss = Clip::apply(x).mean();
    loss.backward();
    Scoped scoped{loss};
    torch::Tensor positive = x.index({x > 0});  // expect-high {{'index' returns a tensor whose size}} [tensor-to-host]
    torch::Tensor mask = x.eq(loss);
    torch::Tensor equal = x.index({mask});  // expect-high {{'index' returns a tensor whose size}} [tensor-to-host]
    auto places = torch::where(x > 0);  // expect-high {{'where' returns a tensor whose size}} [tensor-to-host]
    std::for_each(parameters.begin(), parameters.end(), [](torch::Tensor& p) {  // expect-high [per-tensor-loop]
      if (p.grad().norm().item<float>() > 1) p.grad().zero_();  // expect-high [branch-on-device]
    });
    const float value = loss.item<float>();  // expect-low [branch-on-device]
    const float same = loss.item<float>();   // expect-low {{a second time}} [branch-on-device]
    if (value + same < 0) return;
  }
}

// Sizes that the host knows: places by number, a choice between two tensors.
torch::Tensor quiet(torch::Tensor x, torch::Tensor rows, int steps) {
  x = x.to(torch::kCUDA);
  rows = rows.to(torch::kCUDA);
  for (int step = 0; step < steps; ++step) {
    x = x.index({rows}) + x.index_select(0, rows);
    x = torch::where(x > 0, x, x * x);  // expect-high [unfused-elementwise-chain]
  }
  return x;
}
