// Gates that another function tells: what it returns is read, not what it is called.
#include <cuda_runtime.h>

__global__ void k(float* x, int n);

struct Options {
  int interval = 50;
};

bool wanted(int step, const Options& options) { return step % options.interval == 0; }
static bool handed_on(int step, const Options& options) { return wanted(step, options); }
bool skips(int step) { return step % 100 != 0; }
bool in_every_step(int step) { return step >= 0; }
bool never() { return false; }
bool in_two_ways(int step) {
  if (step == 0) return true;
  return step >= 10;
}
bool either(int step) {
  if (step % 100 == 0) return true;
  return false;
}

class Ticker {
 public:
  explicit Ticker(int every) : every_(every) {}
  bool due() { return ++k_ % every_ == 0; }
  bool tick() {
    if (++n_ < every_) return false;
    n_ = 0;
    return true;
  }
  bool open() const { return k_ >= 0; }
  static bool twice(int step) { return step % 2 == 0; }

 private:
  int every_, k_ = 0, n_ = 0;
};

struct Switch {
  virtual ~Switch() = default;
  virtual bool on() const { return false; }
};

void steps(float* x, int n, int steps, Ticker& ticker, Switch& knob, const Options& options) {
  const auto at_hundred = [&](int step) { return step % 100 == 0; };
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    if (wanted(i, options)) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
    k<<<1, 256>>>(x, n);
    if (handed_on(i, options)) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
    k<<<1, 256>>>(x, n);
    if (!skips(i)) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
    k<<<1, 256>>>(x, n);
    if (skips(i)) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    k<<<1, 256>>>(x, n);
    if (in_every_step(i)) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    k<<<1, 256>>>(x, n);
    if (in_two_ways(i)) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    k<<<1, 256>>>(x, n);
    if (either(i)) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
    k<<<1, 256>>>(x, n);
    if (never()) cudaDeviceSynchronize();
    k<<<1, 256>>>(x, n);
    if (ticker.due()) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
    k<<<1, 256>>>(x, n);
    if (ticker.tick()) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
    k<<<1, 256>>>(x, n);
    if (ticker.open()) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    k<<<1, 256>>>(x, n);
    if (Ticker::twice(i)) cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
    k<<<1, 256>>>(x, n);
    if (at_hundred(i)) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
    k<<<1, 256>>>(x, n);
    if (knob.on()) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    k<<<1, 256>>>(x, n);
    const bool report = ticker.due() && n > 0;
    if (report) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
    k<<<1, 256>>>(x, n);
    if (skips(i)) continue;
    cudaDeviceSynchronize();  // expect-low [sync-in-loop]
  }
}
