// A tape of closures that a backward pass runs, the last one first, and jobs that an iterator goes through.
#include <cuda_runtime.h>

#include <functional>
#include <vector>

__global__ void k(float* x, int n);

struct Tape {
  std::vector<std::function<void()>> closures;
  void backward() {
    for (auto closure = closures.rbegin(); closure != closures.rend(); ++closure) (*closure)();
    closures.clear();
  }
};

void multiply(Tape& tape, float* x, float* gradient) {
  k<<<1, 256>>>(x, 256);
  tape.closures.push_back([gradient] {
    k<<<1, 256>>>(gradient, 256);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  });
}

void train(Tape& tape, float* x, float* gradient, int steps) {
  for (int i = 0; i < steps; ++i) {
    multiply(tape, x, gradient);
    tape.backward();
  }
}

struct Jobs {
  std::vector<void (*)(float*)> jobs;
  void run(float* x) {
    for (auto job = jobs.begin(); job != jobs.end(); ++job) (*job)(x);
  }
};

static void normalise(float* x) {
  k<<<1, 256>>>(x, 256);
  cudaStreamSynchronize(0);  // expect-high [sync-in-loop]
}

void run_jobs(Jobs& jobs, float* x, int steps) {
  jobs.jobs.push_back(normalise);
  for (int i = 0; i < steps; ++i) jobs.run(x);
}
