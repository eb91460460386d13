// feed_client [ROUNDS [WHO]]: trains on batches that somebody else makes, 3 ms of work each.
//   thread  another thread; this one waits behind a condition variable. A third one wakes up now and then, a fourth
//           waits for the end
//   fork    a forked process, at the other end of a pipe
//   exec    another program, at the other end of a pipe: this one, as `feed_client ROUNDS produce`
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/runtime/clients/session.h"

namespace {

using client::Clock;
using client::Session;
constexpr auto kWork = std::chrono::milliseconds(3);
using Batch = std::vector<double>;
constexpr size_t kBatch = 4096;

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
    Batch batch(kBatch, 1.0);
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

template <class Take>
double train(const Session& s, int rounds, Take take) {
  double sum = 0;
  for (int i = 0; i < rounds; ++i) {
    sum += take()[1];
    s.launch(s.stream);
    CHECK_CU(s.cu.cuStreamSynchronize(s.stream));
  }
  return sum;
}

double train_on_threads(int rounds) {
  const client::Driver driver = client::open_driver(client::Way::kProcAddress);
  const Session session(driver);
  Channel channel;
  std::atomic<bool> ends{false};
  std::mutex end;
  end.lock();
  std::array threads{std::thread(produce, std::ref(channel), rounds), std::thread(log_now_and_then, std::cref(ends)),
                     std::thread(wait_for_end, std::ref(end))};
  const double sum = train(session, rounds, [&] { return channel.take(); });
  ends = true;
  end.unlock();
  for (std::thread& thread : threads) thread.join();
  return sum;
}

[[gnu::noinline]] void produce_into(int descriptor, int batches) {
  Sampler sampler;
  for (int i = 0; i < batches; ++i) {
    const Batch batch = sampler.fill();
    if (write(descriptor, batch.data(), batch.size() * sizeof batch[0]) <= 0) return;
  }
}

[[gnu::noinline]] Batch receive(int descriptor) {
  Batch batch(kBatch);
  const size_t all = batch.size() * sizeof batch[0];
  for (size_t have = 0; have < all;) {
    const ssize_t got = read(descriptor, reinterpret_cast<char*>(batch.data()) + have, all - have);
    if (got <= 0) break;
    have += static_cast<size_t>(got);
  }
  return batch;
}

double train_on_process(int rounds, const char* self, bool executes) {
  int ends[2];
  if (pipe(ends) != 0) return 0;
  const pid_t producer = fork();
  if (producer == 0) {
    close(ends[0]);
    if (executes) {
      dup2(ends[1], STDOUT_FILENO);
      execl(self, self, std::to_string(rounds).c_str(), "produce", nullptr);
    }
    produce_into(ends[1], rounds);
    _exit(0);
  }
  close(ends[1]);
  const client::Driver driver = client::open_driver(client::Way::kProcAddress);
  const Session session(driver);
  const double sum = train(session, rounds, [&] { return receive(ends[0]); });
  waitpid(producer, nullptr, 0);
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 100;
  const std::string who = argc > 2 ? argv[2] : "thread";
  if (who == "produce") {
    produce_into(STDOUT_FILENO, rounds);
    return 0;
  }
  const double sum = who == "thread" ? train_on_threads(rounds) : train_on_process(rounds, argv[0], who == "exec");
  std::puts(sum > 0 ? "done" : "nothing trained");
  return 7;
}
