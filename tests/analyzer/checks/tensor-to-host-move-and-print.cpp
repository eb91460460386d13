// `.to(kCPU)` is a copy to the host; printing reads the values.
#include <torch/torch.h>
#include <iostream>

void train(torch::Tensor w, int steps) {
  torch::Device device(torch::kCUDA), host(torch::kCPU);
  for (int step = 0; step < steps; ++step) {
    auto out = torch::randn({64, 8}, device).matmul(torch::ones({8, 8}, device));
    auto a = out.to(torch::kCPU);           // expect-high {{copies the tensor to the host}} [tensor-to-host]
    auto b = out.to(host);                  // expect-high [tensor-to-host]
    auto c = out.to(torch::Device("cpu"));  // expect-high [tensor-to-host]
    auto d = out.detach().to(torch::kCPU, torch::kFloat32);  // expect-high [tensor-to-host]
    std::cout << out << std::endl;          // expect-high {{printing}} [tensor-to-host]
    std::cout << "step " << step << " " << out.mean() << "\n";  // expect-high {{printing}} [tensor-to-host]
    std::cout << a << b.mean() << c << d << "\n";
    auto e = out.to(device);
    auto f = out.to(torch::kDouble);
    auto g = a.to(torch::kCPU);
  }
}
