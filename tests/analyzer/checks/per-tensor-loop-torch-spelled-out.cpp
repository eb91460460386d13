// An optimizer written out, one tensor after the other.
#include <torch/torch.h>

struct Net {
  torch::Tensor w1, b1, w2, b2;
};

void step(Net& net, double rate) {
  torch::NoGradGuard guard;
  net.w1 += net.w1.grad() * rate;  // expect-high {{these 4 operations}} [per-tensor-loop]
  net.b1 += net.b1.grad() * rate;
  net.w2 += net.w2.grad() * rate;
  net.b2 += net.b2.grad() * rate;
  net.w1.grad().zero_();  // expect-high {{at::Tensor::zero_}} [per-tensor-loop]
  net.b1.grad().zero_();
  net.w2.grad().zero_();
  net.b2.grad().zero_();
}

// Each goes on from the one before.
void recurrence(torch::Tensor& a, torch::Tensor& b, torch::Tensor& c, torch::Tensor& d) {
  b += a;  // expect-high [unfused-elementwise-chain]
  c += b;
  d += c;
  a += d;
}

int main() {
  auto device = torch::kCUDA;
  Net net{torch::randn({8, 8}, device), torch::zeros({8}, device), torch::randn({8, 8}, device),
          torch::zeros({8}, device)};
  auto x = torch::randn({64, 8}, device);
  auto p = torch::randn({8}, device), q = torch::randn({8}, device), r = torch::randn({8}, device),
       s = torch::randn({8}, device);
  auto host = torch::zeros({4}), other = torch::zeros({4}), third = torch::zeros({4}), fourth = torch::zeros({4});
  for (int i = 0; i < 1000; ++i) {
    x.matmul(net.w1).matmul(net.w2).sum().backward();
    step(net, 0.1);
    recurrence(p, q, r, s);
    host += 1;
    other += 1;
    third += 1;
    fourth += 1;
  }
}
