// A wait of a destructor that runs while something thrown is on its way up.
#include <exception>

__global__ void step(float* weights);

struct FinishOnError {
  int before = std::uncaught_exceptions();
  ~FinishOnError() {
    if (std::uncaught_exceptions() > before) cudaDeviceSynchronize();
  }
};

struct FinishUnlessError {
  int before = std::uncaught_exceptions();
  ~FinishUnlessError() {
    if (before == std::uncaught_exceptions()) cudaDeviceSynchronize();
  }
};

void on_error(float* weights) {
  for (int i = 0; i < 1000; ++i) {
    FinishOnError finish;
    step<<<1, 256>>>(weights);
  }
}

void unless_error(float* weights) {
  for (int i = 0; i < 1000; ++i) {
    FinishUnlessError finish;  // expect-high [sync-in-loop]
    step<<<1, 256>>>(weights);
  }
}

int main() {
  float* weights;
  cudaMalloc(&weights, 1024);
  on_error(weights);
  unless_error(weights);
}
