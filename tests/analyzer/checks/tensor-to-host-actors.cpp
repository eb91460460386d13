// tensor-to-host, unpinned-to-device: an actor's thread runs the network in a loop of its own, and waits for its results.
// A thread that only prepares batches is off the critical path.
#include <torch/torch.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

std::atomic<bool> stop{false};

struct Queue {
  void push(const torch::Tensor& batch);
  torch::Tensor pop();
};

double play(torch::nn::Linear& net, std::vector<float>& state) {
  torch::NoGradGuard no_grad;
  auto input = torch::from_blob(state.data(), {4, 16}).clone().to(torch::kCUDA);  // expect-medium [unpinned-to-device]
  auto values = net->forward(input).to(torch::kCPU);                              // expect-medium [tensor-to-host]
  return values[0][0].item<double>();
}

void actor(torch::nn::Linear& net, std::vector<float>& state) {
  while (!stop) state[0] = play(net, state);
}

void prepare(Queue& queue, std::vector<float>& samples) {
  while (!stop) queue.push(torch::from_blob(samples.data(), {4, 16}).clone().to(torch::kCUDA) / 255);
}

int main() {
  torch::nn::Linear net(16, 4);
  net->to(torch::kCUDA);
  torch::optim::SGD optimizer(net->parameters(), 0.1);
  std::vector<float> state(64), samples(64);
  Queue queue;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.push_back(std::thread(actor, std::ref(net), std::ref(state)));
  threads.push_back(std::thread(prepare, std::ref(queue), std::ref(samples)));
  for (int i = 0; i < 1000; ++i) {
    auto loss = net->forward(queue.pop()).mean();
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
  stop = true;
  for (auto& thread : threads) thread.join();
}
