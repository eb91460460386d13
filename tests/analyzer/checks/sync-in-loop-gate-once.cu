// Waits that one iteration, or the first use, lets through.
#include <cuda_runtime.h>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <vector>

__global__ void k(float* x, int n);

void warm(float* x, int n) {
  k<<<1, 256>>>(x, n);
  cudaDeviceSynchronize();
}

class Layer {
 public:
  void forward(float* x, int n) {
    if (quiet_) {
      quiet_ = false;
      cudaDeviceSynchronize();
    }
    k<<<1, 256>>>(x, n);
    if (!tuned_) {
      k<<<1, 256>>>(x, n);
      cudaDeviceSynchronize();
      tuned_ = true;
    }
    k<<<1, 256>>>(x, n);
    if (dirty_) {
      cudaDeviceSynchronize();  // expect-high [sync-in-loop]
      dirty_ = false;
    }
    k<<<1, 256>>>(x, n);
    dirty_ = true;
    if (fresh_) {
      cudaDeviceSynchronize();  // expect-high [sync-in-loop]
      fresh_ = false;
    }
    k<<<1, 256>>>(x, n);
  }
  void touch() { fresh_ = true; }

 private:
  bool quiet_ = true, tuned_ = false, dirty_ = true, fresh_ = true;
};

volatile std::sig_atomic_t asked_for = 0;
volatile std::sig_atomic_t asked_again = 0;
void on_signal(int) { asked_for = 1; }

void steps(float* x, int n, int steps, int warmup) {
  static std::once_flag flag;
  std::signal(SIGUSR1, on_signal);
  std::signal(SIGUSR2, [](int) { asked_again = 1; });
  Layer layer;
  bool begun = false;
  int step = 0;
  for (int i = 0; i < steps; ++i) {
    layer.forward(x, n);
    layer.touch();
    std::call_once(flag, [&] { warm(x, n); });
    static bool done = false;
    if (!done) {
      cudaDeviceSynchronize();
      done = true;
    }
    k<<<1, 256>>>(x, n);
    if (!begun) {
      begun = true;
      cudaDeviceSynchronize();
    }
    k<<<1, 256>>>(x, n);
    if (i == 0 || i == 99) cudaDeviceSynchronize();
    k<<<1, 256>>>(x, n);
    if (i == warmup && n > 0) cudaDeviceSynchronize();
    k<<<1, 256>>>(x, n);
    if (i == 0 || n > 3) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    k<<<1, 256>>>(x, n);
    if (step == warmup) cudaDeviceSynchronize();
    k<<<1, 256>>>(x, n);
    if (asked_for) {
      asked_for = 0;
      cudaDeviceSynchronize();  // expect-low [sync-in-loop]
    }
    k<<<1, 256>>>(x, n);
    if (asked_again) {
      asked_again = 0;
      cudaDeviceSynchronize();  // expect-low [sync-in-loop]
    }
    k<<<1, 256>>>(x, n);
    ++step;
  }
}

// Begun anew in each iteration: no latch. And one that stands for each call of a function called every step.
void anew(float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    bool armed = true;
    k<<<1, 256>>>(x, n);
    if (armed) {
      armed = false;
      cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    }
    k<<<1, 256>>>(x, n);
  }
}

void one_call(float* x, int n) {
  bool armed = true;
  k<<<1, 256>>>(x, n);
  if (armed) {
    armed = false;
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
  k<<<1, 256>>>(x, n);
}

// A branch that ends in a return leaves a function, not the loop that calls it: each call may take it.
void one_of_two_ways(float* x, int n, bool wide) {
  if (wide) {
    k<<<2, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    k<<<2, 256>>>(x, n);
    return;
  }
  k<<<1, 256>>>(x, n);
}

// Once in all, or once an epoch.
void nested(float* x, int n, int epochs, int batches) {
  bool armed = true;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (int batch = 0; batch < batches; ++batch) {
      k<<<1, 256>>>(x, n);
      if (armed) {
        armed = false;
        cudaDeviceSynchronize();
      }
      k<<<1, 256>>>(x, n);
      if (batch == 0) cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
      k<<<1, 256>>>(x, n);
      if (epoch == 3) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
      k<<<1, 256>>>(x, n);
    }
  }
}

// A flag that is born in the loop begins anew, whatever it is called.
void born_anew(float* x, int n, int steps, int parts) {
  bool ready = false;
  for (int i = 0; i < steps; ++i) {
    bool first = true;
    k<<<1, 256>>>(x, n);
    if (first) {
      cudaDeviceSynchronize();  // expect-high [sync-in-loop]
      first = false;
    }
    for (int part = 0; part < parts; ++part) {
      bool initialized = false;
      k<<<1, 256>>>(x, n);
      if (!initialized) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    }
    k<<<1, 256>>>(x, n);
    if (!ready) {
      cudaDeviceSynchronize();
      ready = true;
    }
    const bool first_step = i == 0;
    k<<<1, 256>>>(x, n);
    if (first_step) cudaDeviceSynchronize();
  }
}

// The first iterations, whatever waits to be emptied, what somebody asks for from outside.
bool wanted() { return std::getenv("WAIT") != nullptr; }
void seldom(float* x, int n, int steps) {
  std::vector<int> seen;
  int next = 100;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    if (i < 3) cudaDeviceSynchronize();
    k<<<1, 256>>>(x, n);
    if (i < 500) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    k<<<1, 256>>>(x, n);
    seen.push_back(i);
    if (seen.size() == 100) {
      cudaDeviceSynchronize();  // expect-low [sync-in-loop]
      seen.clear();
    }
    k<<<1, 256>>>(x, n);
    if (i == next) {
      cudaDeviceSynchronize();  // expect-low [sync-in-loop]
      next += 100;
    }
    k<<<1, 256>>>(x, n);
    switch (i % 50) {
      case 0:
        cudaDeviceSynchronize();  // expect-low [sync-in-loop]
        break;
      default:
        break;
    }
    k<<<1, 256>>>(x, n);
    switch (i % 50) {
      case 0:
        break;
      default:
        cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    }
    k<<<1, 256>>>(x, n);
    i % 100 == 0 && cudaDeviceSynchronize();  // expect-low [sync-in-loop]
    k<<<1, 256>>>(x, n);
    if (std::getenv("DEBUG")) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
    k<<<1, 256>>>(x, n);
    if (wanted()) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
  }
  for (int i = 0; i < 8; ++i) {
    k<<<1, 256>>>(x, n);
    if (i < 3) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

// Over the devices, and a warm-up: no steps.
void set_up(float** x, int n) {
  int devices = 0;
  cudaGetDeviceCount(&devices);
  for (int device = 0; device < devices; ++device) {
    cudaSetDevice(device);
    k<<<1, 256>>>(x[device], n);
    cudaDeviceSynchronize();
  }
  for (int round = 0; round < 3; ++round) {
    k<<<1, 256>>>(x[0], n);
    cudaDeviceSynchronize();
  }
  for (int step = 0; step < 1000; ++step) {
    for (int device = 0; device < devices; ++device) {
      cudaSetDevice(device);
      k<<<1, 256>>>(x[device], n);
      cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    }
  }
}

int main() {
  float* x = nullptr;
  seldom(x, 1, 100000);
  set_up(&x, 1);
  steps(x, 1, 100, 3);
  anew(x, 1, 100);
  born_anew(x, 1, 100, 2);
  for (int i = 0; i < 100; ++i) one_call(x, 1);
  for (int i = 0; i < 100; ++i) one_of_two_ways(x, 1, i > 3);
  nested(x, 1, 10, 10);
}
