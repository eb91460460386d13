// Tensors over memory of the program, which may be pinned, and tensors that operations make of pinned ones, which are
// not.
#include <cuda_runtime.h>
#include <torch/torch.h>

void train(torch::nn::Linear& net, torch::optim::SGD& optimizer, int steps) {
  net->to(torch::kCUDA);
  float* pinned;
  cudaMallocHost(&pinned, 1 << 20);
  std::vector<float> registered(1 << 18), plain(1 << 18);
  cudaHostRegister(registered.data(), 1 << 20, 0);
  auto pool = torch::rand({1000, 256}).pin_memory();
  auto like = torch::rand({32, 256}, torch::kCUDA);
  auto rows = torch::randperm(1000).slice(0, 0, 32);
  for (int i = 0; i < steps; ++i) {
    auto a = torch::from_blob(pinned, {1024, 256}).to(torch::kCUDA, true);
    auto b = torch::from_blob(registered.data(), {1024, 256}).to(torch::kCUDA, true);
    auto c = torch::from_blob(plain.data(), {1024, 256}).to(torch::kCUDA, true);  // expect-high [unpinned-to-device]
    auto d = pool.index_select(0, rows).to(torch::kCUDA, true);  // expect-high [unpinned-to-device]
    auto e = pool.index_select(0, rows).type_as(like);           // expect-high [unpinned-to-device]
    auto f = pool.slice(0, 0, 32).to(torch::kCUDA, true);
    auto loss = net->forward(torch::cat({a, b, c, d, e, f})).mean();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
}
