#include "loss.h"

void fine_tune(Loss& loss, float* x, int steps);
void validate(Loss& loss, float* x, int steps);

void one_step(Loss& loss, float* x) {
  train_kernel<<<1, 256>>>(x);
  report(loss);
  report(loss);  // further down than the loop, and new all the same
}

int main() {
  Loss loss{};
  float* x = nullptr;
  cudaMalloc(&x, 4096);
  loss.value();  // before the loop: no step waits for it
  for (int step = 0; step < 1000; ++step) {
    loss.value();
    one_step(loss, x);
    train_kernel<<<1, 256>>>(x);
  }
  fine_tune(loss, x, 100);
  validate(loss, x, 10);
  // A loop that waits of its own: one finding, whoever calls it.
  for (int step = 0; step < 1000; ++step) {
    train_kernel<<<1, 256>>>(x);
    loss.value();
    cudaDeviceSynchronize();  // expect-high [sync-in-loop] expect-calls [sync-in-loop] train.cu:28
  }
}
