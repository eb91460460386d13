// Waits let through by the clock: once in a while, not every step.
#include <cuda_runtime.h>
#include <chrono>
#include <ctime>

__global__ void k(float* x, int n);

using Clock = std::chrono::steady_clock;

class Timer {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  void reset() { start_ = Clock::now(); }

 private:
  Clock::time_point start_ = Clock::now();
};

double wall_time() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

class Throttle {
 public:
  bool open() {
    const auto now = Clock::now();
    if (now - last_ < interval_) return false;
    last_ = now;
    return true;
  }
  bool past() const { return Clock::now() >= next_; }

 private:
  Clock::time_point last_, next_;
  Clock::duration interval_ = std::chrono::seconds(5);
};

void steps(float* x, int n, int steps, double budget) {
  auto last = Clock::now();
  Timer timer;
  Throttle throttle;
  double then = wall_time();
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    if (Clock::now() - last > std::chrono::seconds(5)) {
      cudaDeviceSynchronize();  // expect-low [sync-in-loop]
      last = Clock::now();
    }
    k<<<1, 256>>>(x, n);
    const auto now = Clock::now();
    if (now - last >= std::chrono::seconds(10)) {
      last = now;
      cudaStreamSynchronize(nullptr);  // expect-low [sync-in-loop]
    }
    k<<<1, 256>>>(x, n);
    if (timer.seconds() > 1) {
      cudaDeviceSynchronize();  // expect-low [sync-in-loop]
      timer.reset();
    }
    k<<<1, 256>>>(x, n);
    if (throttle.open()) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
    k<<<1, 256>>>(x, n);
    if (throttle.past()) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
    k<<<1, 256>>>(x, n);
    const double t = wall_time();
    if (t - then > 2.0) {
      cudaDeviceSynchronize();  // expect-low [sync-in-loop]
      then = t;
    }
    k<<<1, 256>>>(x, n);
    if (timer.seconds() < budget) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}
