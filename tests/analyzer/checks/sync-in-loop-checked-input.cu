// A check of the input that says why it leaves is no mode of the program, whatever it is called.
#include <cuda_runtime.h>
#include <cstdio>
#include <iostream>

__global__ void step(float* x, int n);

struct Options {
  bool validate() const;
  bool evaluate = false;
};

void fit(const Options& options, float* x, int n, int steps) {
  if (!options.validate()) {
    std::cout << "invalid options" << std::endl;
    return;
  }
  for (int i = 0; i < steps; ++i) {
    step<<<64, 128>>>(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

void fit_quietly_checked(const Options& options, float* x, int n, int steps) {
  if (!options.validate()) {
    printf("invalid options\n");
    return;
  }
  for (int i = 0; i < steps; ++i) {
    step<<<64, 128>>>(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

void look_at(const Options& options, float* x, int n, int steps) {
  if (!options.evaluate) return;
  for (int i = 0; i < steps; ++i) {
    step<<<64, 128>>>(x, n);
    cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
  }
}
