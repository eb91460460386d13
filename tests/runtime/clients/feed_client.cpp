// feed_client [ROUNDS]: trains on batches that another thread makes, 3 ms of work each, and that this one waits for
// behind a condition variable. A third thread wakes up now and then, a fourth waits for the end. Prints the lines that
// a test wants to see named.
#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "tests/runtime/clients/session.h"

namespace {

using client::Clock;
using client::Session;
constexpr auto kWork = std::chrono::milliseconds(3);
using Batch = std::vector<double>;

class Channel {
 public:
  void put(Batch batch) {
    {
      const std::lock_guard lock(mutex_);
      batches_.push_back(std::move(batch));
    }
    changed_.notify_all();
  }
  [[gnu::noinline]] Batch take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !batches_.empty(); });
    Batch batch = std::move(batches_.front());
    batches_.pop_front();
    return batch;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Batch> batches_;
};

[[gnu::noinline]] double smooth(Batch& batch) {
  double sum = 0;
  for (size_t i = 1; i + 1 < batch.size(); ++i) sum += batch[i] = (batch[i - 1] + batch[i] + batch[i + 1]) / 3;
  return sum;
}

class Sampler {
 public:
  [[gnu::noinline]] Batch fill() {
    Batch batch(4096, 1.0);
    for (const auto end = Clock::now() + kWork; Clock::now() < end;) smoothed_ += smooth(batch);
    return batch;
  }

 private:
  double smoothed_ = 0;
};

void produce(Channel& channel, int batches) {
  Sampler sampler;
  for (int i = 0; i < batches; ++i) channel.put(sampler.fill());
}

void log_now_and_then(const std::atomic<bool>& ends) {
  while (!ends) std::this_thread::sleep_for(std::chrono::milliseconds(100));
}

void wait_for_end(std::mutex& mutex) { const std::lock_guard lock(mutex); }

double train(const Session& s, int rounds) {
  Channel channel;
  std::atomic<bool> ends{false};
  std::mutex end;
  end.lock();
  std::array threads{std::thread(produce, std::ref(channel), rounds), std::thread(log_now_and_then, std::cref(ends)),
                     std::thread(wait_for_end, std::ref(end))};
  double sum = 0;
  for (int i = 0; i < rounds; ++i) {
    sum += channel.take()[1];
    s.launch(s.stream);
    CHECK_CU(s.cu.cuStreamSynchronize(s.stream));
  }
  ends = true;
  end.unlock();
  for (std::thread& thread : threads) thread.join();
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const client::Driver driver = client::open_driver(client::Way::kProcAddress);
  const Session session(driver);
  const double sum = train(session, argc > 1 ? std::atoi(argv[1]) : 100);
  std::puts(sum > 0 ? "done" : "nothing trained");
  return 7;
}
