// A job that workers take from the front of a deque runs in the step that waits for it.
#include <torch/torch.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

class Pool {
 public:
  void start() {
    for (int i = 0; i < 4; ++i) threads_.emplace_back(&Pool::loop, this);
  }
  void queue(std::function<void()>&& job) {
    {
      std::scoped_lock lock(mutex_);
      jobs_.emplace_back(std::move(job));
    }
    work_.notify_one();
  }
  void wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    done_.wait(lock, [this] { return jobs_.empty() && busy_ == 0; });
  }

 private:
  void loop() {
    while (true) {
      std::function<void()> job;
      std::unique_lock<std::mutex> lock(mutex_);
      work_.wait(lock, [this] { return !jobs_.empty(); });
      ++busy_;
      job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      job();
      lock.lock();
      --busy_;
      done_.notify_all();
    }
  }
  int busy_ = 0;
  std::mutex mutex_;
  std::condition_variable work_, done_;
  std::deque<std::function<void()>> jobs_;
  std::vector<std::thread> threads_;
};

struct Trainer {
  torch::Tensor step(int environments) {
    auto observed = torch::zeros({8, 4}, torch::kCUDA);
    for (int i = 0; i < environments; ++i) {
      pool->queue([&observed, i] {
        auto one = torch::zeros({4}), there = torch::zeros({4}, torch::kCUDA);
        observed[i] = one;  // expect-high [unpinned-to-device]
        observed[i] = there;
      });
    }
    pool->wait();
    return observed;
  }
  // Before the first step: the same workers, once.
  torch::Tensor reset(int environments) {
    auto observed = torch::zeros({8, 4}, torch::kCUDA);
    for (int i = 0; i < environments; ++i) pool->queue([&observed, i] { observed[i] = torch::zeros({4}); });
    pool->wait();
    return observed;
  }
  std::unique_ptr<Pool> pool = std::make_unique<Pool>();
};

int main() {
  Trainer trainer;
  trainer.pool->start();
  torch::nn::Linear net(4, 4);
  torch::optim::Adam o(net->parameters(), 0.1);
  auto first = trainer.reset(8);
  for (int step = 0; step < 1000; ++step) {
    net->forward(trainer.step(8)).sum().backward();
    o.step();
  }
}
