// sampled_client [ROUNDS]: between CUDA calls the host computes, sleeps, and waits for a lock, 3 ms each; prints on
// which lines, how many ms of each, and for how many of those it was ready and waited for a processor, so that a test
// can tell what samples should say.
#include <mutex>
#include <semaphore>
#include <thread>

#include "tests/runtime/clients/session.h"

namespace {

using client::Clock;
using client::Session;
constexpr auto kWork = std::chrono::milliseconds(3);

[[gnu::noinline]] double compute() {
  double sum = 0;
  for (const auto end = Clock::now() + kWork; Clock::now() < end;)
    for (int i = 1; i < 1000; ++i) sum += 1.0 / i;
  return sum;
}

[[gnu::noinline]] void sleep_a_while() { std::this_thread::sleep_for(kWork); }

// Another thread holds the lock for as long.
class BusyLock {
 public:
  ~BusyLock() {
    ends_ = true;
    asked_.release();
    holder_.join();
  }
  [[gnu::noinline]] void wait() {
    asked_.release();
    held_.acquire();
    const std::lock_guard lock(mutex_);
  }

 private:
  void hold() {
    for (asked_.acquire(); !ends_; asked_.acquire()) {
      const std::lock_guard lock(mutex_);
      held_.release();
      std::this_thread::sleep_for(kWork);
    }
  }
  std::mutex mutex_;
  std::binary_semaphore asked_{0}, held_{0};
  bool ends_ = false;
  std::thread holder_{[this] { hold(); }};
};

[[gnu::noinline]] void launch_and_wait(const Session& s) {
  s.launch(s.stream);
  CHECK_CU(s.cu.cuStreamSynchronize(s.stream));
}

// For how long this thread has been ready so far, while others had the processors; 0 where the kernel does not count.
double waited_for_processor_ms() {
  unsigned long long ran_ns = 0, waited_ns = 0;
  if (std::FILE* const file = std::fopen("/proc/thread-self/schedstat", "r")) {
    if (std::fscanf(file, "%llu %llu", &ran_ns, &waited_ns) != 2) waited_ns = 0;
    std::fclose(file);
  }
  return static_cast<double>(waited_ns) * 1e-6;
}

struct Part {
  const char* name;
  int line = 0;
  double ms = 0, delay_ms = 0;
  Clock::time_point start{};
  void begin() {
    delay_ms -= waited_for_processor_ms();
    start = Clock::now();
  }
  void end(int at_line) {
    ms += client::ms_since(start);
    delay_ms += waited_for_processor_ms();
    line = at_line;
  }
};

double train(const Session& s, int rounds) {
  BusyLock lock;
  Part compute_part{"compute"}, sleep_part{"sleep"}, lock_part{"lock"};
  double sum = 0;
  for (int i = 0; i < rounds; ++i) {
    launch_and_wait(s);
    compute_part.begin();
    sum += compute();
    compute_part.end(__LINE__ - 1);
    launch_and_wait(s);
    sleep_part.begin();
    sleep_a_while();
    sleep_part.end(__LINE__ - 1);
    launch_and_wait(s);
    lock_part.begin();
    lock.wait();
    lock_part.end(__LINE__ - 1);
  }
  for (const Part& part : {compute_part, sleep_part, lock_part})
    std::printf("%s %d %f %f\n", part.name, part.line, part.ms, part.delay_ms);
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const client::Driver driver = client::open_driver(client::Way::kProcAddress);
  const Session session(driver);
  const double sum = train(session, argc > 1 ? std::atoi(argv[1]) : 40);
  std::puts(sum > 0 ? "done" : "nothing computed");
  return 7;
}
