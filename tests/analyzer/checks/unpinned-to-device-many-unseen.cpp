// Many tensors that code out of sight fills from each other: each question is asked once.
#include <torch/torch.h>

bool mix(torch::Tensor& a, torch::Tensor& b, torch::Tensor& c, torch::Tensor& d);

void train(torch::nn::Linear& net, torch::optim::SGD& optimizer, int steps) {
  net->to(torch::kCUDA);
  torch::Tensor t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11;
  torch::Tensor t12, t13, t14, t15, t16, t17, t18, t19, t20, t21, t22, t23;
  for (int i = 0; i < steps; ++i) {
    mix(t0, t1, t5, t11);
    mix(t1, t2, t6, t12);
    mix(t2, t3, t7, t13);
    mix(t3, t4, t8, t14);
    mix(t4, t5, t9, t15);
    mix(t5, t6, t10, t16);
    mix(t6, t7, t11, t17);
    mix(t7, t8, t12, t18);
    mix(t8, t9, t13, t19);
    mix(t9, t10, t14, t20);
    mix(t10, t11, t15, t21);
    mix(t11, t12, t16, t22);
    mix(t12, t13, t17, t23);
    mix(t13, t14, t18, t0);
    mix(t14, t15, t19, t1);
    mix(t15, t16, t20, t2);
    mix(t16, t17, t21, t3);
    mix(t17, t18, t22, t4);
    mix(t18, t19, t23, t5);
    mix(t19, t20, t0, t6);
    mix(t20, t21, t1, t7);
    mix(t21, t22, t2, t8);
    mix(t22, t23, t3, t9);
    mix(t23, t0, t4, t10);
    auto x = t0.to(torch::kCUDA);  // expect-high [unpinned-to-device]
    auto loss = net->forward(x).mean();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
}
