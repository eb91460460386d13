#include "loss.h"

void waits_in_its_loop(Loss& loss, float* x, int steps) {
  for (int step = 0; step < steps; ++step) {
    train_kernel<<<1, 256>>>(x);
    cudaDeviceSynchronize();  // expect-medium [sync-in-loop] expect-calls [sync-in-loop] more.cu:6
  }
}

void report(Loss& loss) {
  loss.value();
}

// A second loop, in another file.
void fine_tune(Loss& loss, float* x, int steps) {
  for (int step = 0; step < steps; ++step) {
    train_kernel<<<1, 256>>>(x);
    loss.value();
  }
}
// Every tenth step.
void log(Loss& loss, int step) {
  if (step % 10 == 0) {
    report(loss);
  }
}

void validate(Loss& loss, float* x, int steps) {
  waits_in_its_loop(loss, x, steps);
  for (int step = 0; step < steps; ++step) {
    train_kernel<<<1, 256>>>(x);
    log(loss, step);
  }
}
