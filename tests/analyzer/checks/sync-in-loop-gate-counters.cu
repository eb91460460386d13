// Counters that thin a wait out, here or in what is called, whatever they are called: a period in a field, one that starts over, a single value.
#include <cuda_runtime.h>

__global__ void k(float* x, int n);

struct Period {
  int every = 100;
};

class Reporter {
 public:
  explicit Reporter(int every) : every_(every) {}
  void seen() {
    if (++count_ % every_ == 0) cudaDeviceSynchronize();
  }
  void started_over() {
    if (++since_ >= every_) {
      since_ = 0;
      cudaDeviceSynchronize();
    }
  }
  void counted_down() {
    if (--left_ == 0) {
      cudaDeviceSynchronize();
      left_ = every_;
    }
  }
  void after_return() {
    if (++more_ < every_) return;
    more_ = 0;
    cudaDeviceSynchronize();
  }
  void every_fourth() {
    if (++few_ == 4) {
      few_ = 0;
      cudaDeviceSynchronize();
    }
  }
  void at_one_value() {
    ++steps_;
    if (steps_ == every_) cudaDeviceSynchronize();
  }
  // Counts, but nothing starts over: true for ever after.
  void from_then_on() {
    if (++total_ >= every_) cudaDeviceSynchronize();
  }

 private:
  int every_, count_ = 0, since_ = 0, left_ = 1, more_ = 0, few_ = 0, steps_ = 0, total_ = 0;
};

void methods(float* x, int n, int steps) {
  Reporter reporter(100);
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    reporter.seen();  // expect-low [sync-in-loop]
    k<<<1, 256>>>(x, n);
    reporter.started_over();  // expect-low [sync-in-loop]
    k<<<1, 256>>>(x, n);
    reporter.counted_down();  // expect-low [sync-in-loop]
    k<<<1, 256>>>(x, n);
    reporter.after_return();  // expect-low [sync-in-loop]
    k<<<1, 256>>>(x, n);
    reporter.every_fourth();  // expect-medium [sync-in-loop]
    k<<<1, 256>>>(x, n);
    reporter.at_one_value();  // expect-low [sync-in-loop]
    k<<<1, 256>>>(x, n);
    reporter.from_then_on();  // expect-high [sync-in-loop]
  }
}

void locals(float* x, int n, int steps, const Period& period, int rank) {
  int since = 0, seen = 0;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    if (i % period.every == 0) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
    k<<<1, 256>>>(x, n);
    const bool due = i % period.every == 0;
    if (due) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
    k<<<1, 256>>>(x, n);
    if (++since > period.every) {
      cudaDeviceSynchronize();  // expect-low [sync-in-loop]
      since = 0;
    }
    k<<<1, 256>>>(x, n);
    bool now = false;
    if (i % 2) now = true;
    if (now) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    k<<<1, 256>>>(x, n);
    if (rank == 0) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    ++seen;
  }
}

// A counter that counts the same thing over again each step, and an if that is true of every step.
void no_gates(float* x, int n, int steps, int limit) {
  int best = 0;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    if (i >= limit) {
      best = i;
      cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    }
  }
}

// The best so far: seldom, but nobody knows how seldom.
void best(float* x, int n, int steps, const float* losses) {
  float lowest = 1e9f, highest = 0;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    if (losses[i] < lowest) {
      lowest = losses[i];
      cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
    }
    k<<<1, 256>>>(x, n);
    const float loss = losses[i];
    if (loss > highest) {
      highest = loss;
      cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
    }
    k<<<1, 256>>>(x, n);
  }
}
