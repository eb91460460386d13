// `x % 8 == 0` tells of few iterations only where x counts them. Asked of a layer's width, of an address or of a size
// that is kept, it picks the kernel that fits, in every step.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>

__global__ void wide(float* x, int n);
__global__ void narrow(float* x, int n);

void convolve(float* x, int planes_in, int planes_out) {
  if (planes_in % 8 != 0 || planes_out % 8 != 0) {
    narrow<<<1, 256>>>(x, planes_in);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  } else {
    wide<<<1, 256>>>(x, planes_in);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

void add(float* x, float* y, int n) {
  const bool fits = reinterpret_cast<std::uintptr_t>(y) % 16 == 0;
  if (fits && n % 4 == 0) {
    wide<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

class Layer {
 public:
  Layer(float* x, int width) : x_(x), width_(width) {}
  void forward() {
    if (width_ % 32 == 0) {
      wide<<<1, 256>>>(x_, width_);
      cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    }
  }

 private:
  float* x_;
  int width_;
};

// The same of numbers that count.
void report(float* x, int step) {
  if (step % 100 == 0) {
    narrow<<<1, 256>>>(x, 1);
    cudaDeviceSynchronize();  // expect-low [sync-in-loop]
  }
}

struct Trainer {
  float* x;
  int seen = 0;
  void next() {
    ++seen;
    if (seen % 50 == 0) {
      narrow<<<1, 256>>>(x, 1);
      cudaDeviceSynchronize();  // expect-low [sync-in-loop]
    }
  }
};

// Begun here, and stepped by another unit.
class Clock {
 public:
  Clock() : ticks_(0) {}
  void next();
  void run(float* x) {
    narrow<<<1, 256>>>(x, 1);
    if (ticks_ % 100 == 0) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
  }

 private:
  int ticks_;
};
void warm_up(float* x, int step) {
  for (int i = 0; i < 1000; ++i) {
    narrow<<<1, 256>>>(x, i);
    if (step % 100 == 0) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
  }
}
void ticks(float* x, Clock& clock, int steps) {
  warm_up(x, 0);
  for (int step = 0; step < steps; ++step) {
    wide<<<1, 256>>>(x, 1);
    clock.run(x);
    clock.next();
  }
}

// Whose caller nobody sees.
void log_sometimes(float* x, long iteration) {
  for (int i = 0; i < 4; ++i) {
    narrow<<<1, 256>>>(x, i);
    if (iteration % 100 == 0) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
  }
}

// Called once with a number, and by others who hand them what counts.
struct Base {
  virtual ~Base() = default;
  virtual void on_step(float* x, int step) = 0;
};
struct Virtual : Base {
  void on_step(float* x, int step) override {
    narrow<<<1, 256>>>(x, 1);
    if (step % 100 == 0) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
  }
};
void by_pointer(float* x, int step) {
  narrow<<<1, 256>>>(x, 1);
  if (step % 100 == 0) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
}
void (*const kPointer)(float*, int) = by_pointer;
class Made {
 public:
  explicit Made(int step) : step_(step) {}
  void run(float* x) const {
    narrow<<<1, 256>>>(x, 1);
    if (step_ % 100 == 0) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
  }

 private:
  int step_;
};
void out_of_sight(float* x, int steps, Base& base) {
  Virtual().on_step(x, 0);
  by_pointer(x, 0);
  Made(0).run(x);
  const float* const begin = x;
  for (int step = 0; step < steps; ++step) {
    base.on_step(x, step);
    kPointer(x, step);
    std::make_unique<Made>(step)->run(x);
    wide<<<1, 256>>>(x, 1);
    ++x;
    if ((x - begin) % 100 == 0) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
  }
}

int main() {
  float* x;
  cudaMalloc(&x, 4096);
  Layer layer(x, 64);
  Trainer trainer{x};
  for (int step = 0; step < 1000; ++step) {
    const int done = step + 1;
    convolve(x, 64, 128);
    convolve(x, 3, 64);
    add(x, x + 1024, 256);
    layer.forward();
    report(x, done);
    trainer.next();
  }
}
