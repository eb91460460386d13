// Every way a CUDA tensor's values come to the host, in a loop that trains.
#include <torch/torch.h>
#include <iostream>

struct NetImpl : torch::nn::Module {
  NetImpl() : fc(register_module("fc", torch::nn::Linear(8, 8))) {}
  torch::Tensor forward(torch::Tensor x) { return torch::relu(fc->forward(x)); }
  torch::nn::Linear fc;
};
TORCH_MODULE(Net);

void train(Net& net, torch::optim::Adam& optimizer, int steps) {
  torch::Device device(torch::kCUDA);
  net->to(device);
  double total = 0;
  for (int step = 0; step < steps; ++step) {
    auto x = torch::randn({64, 8}, device);
    auto y = torch::randn({64, 8}, device);
    auto out = net(x);
    auto loss = torch::nn::functional::mse_loss(out, y);
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    total += loss.item<double>();                    // expect-high {{waits for the GPU}} [tensor-to-host] expect-callee [tensor-to-host] {{at::Tensor::item}}
    total += loss.item().toDouble();                 // expect-low {{a second time}} [tensor-to-host]
    auto host = out.cpu();                           // expect-high {{copies the tensor to the host}} [tensor-to-host]
    if (torch::isnan(loss).any().item<bool>()) return;  // expect-high [branch-on-device]
    if (out.equal(y)) return;                        // expect-low [branch-on-device]
    if (out.allclose(y)) return;                     // expect-low [branch-on-device]
    if (loss.is_nonzero()) ++total;                  // expect-high [tensor-to-host]
    auto places = out.nonzero();                     // expect-high {{whose size only the GPU knows}} [tensor-to-host]
    auto picked = out.masked_select(y > 0.5);        // expect-high [tensor-to-host]
    torch::nn::utils::clip_grad_norm_(net->parameters(), 1.0);  // expect-high {{calls .item() at its end}} [tensor-to-host]
  }
  std::cout << total << std::endl;
}

void not_waiting(Net& net, torch::optim::Adam& optimizer, int steps) {
  torch::Device device(torch::kCUDA);
  auto total = torch::zeros({1}, device);
  auto host_weights = torch::ones({8});
  for (int step = 0; step < steps; ++step) {
    auto x = torch::randn({64, 8}, device).to(torch::kFloat32);
    auto loss = net(x).mean();
    loss.backward();
    optimizer.step();
    total += loss.detach();
    auto again = x.to(device);
    auto half = x.to(torch::kDouble);
    const auto rows = x.size(0);
    const bool cuda = x.is_cuda() && x.defined() && rows > 0;
    // On the host from the start.
    float rate = host_weights[step].item<float>();
    auto cpu_sum = (host_weights * host_weights).sum().item<float>();
    auto mask = torch::where(x > 0.5, x, x);
    if (cuda && rate + cpu_sum > 1e9f) return;
  }
  std::cout << total.item<float>() << std::endl;
}

// One wait for the copy; what is read from the copy waits no more.
void read_a_copy(Net& net, int steps) {
  torch::Device device(torch::kCUDA);
  for (int step = 0; step < steps; ++step) {
    auto out = net(torch::randn({64, 8}, device));
    auto host = out.cpu();  // expect-high [tensor-to-host]
    float a = host[0].item<float>();
    auto rows = host.accessor<float, 2>();
    std::cout << host << a << rows[0] << std::endl;
  }
}

void every_hundred(Net& net, int steps, int log_interval) {
  torch::Device device(torch::kCUDA);
  for (int step = 0; step < steps; ++step) {
    auto loss = net(torch::randn({64, 8}, device)).mean();
    loss.backward();
    if (step % 100 == 0) std::cout << loss.item<float>() << "\n";           // expect-low [tensor-to-host]
    if (step % log_interval == 0) std::cout << loss.item<float>() << "\n";  // expect-low [tensor-to-host]
  }
}

void evaluate(Net& net, int batches) {
  torch::NoGradGuard no_grad;
  torch::Device device(torch::kCUDA);
  int64_t correct = 0;
  for (int i = 0; i < batches; ++i) {
    auto out = net(torch::randn({64, 8}, device));
    correct += out.argmax(1).eq(out.argmax(1)).sum().item<int64_t>();  // expect-medium [tensor-to-host]
  }
  std::cout << correct;
}
