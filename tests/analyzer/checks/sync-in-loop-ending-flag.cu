// A branch that sets the flag which everything around it asks runs once, at the end.
#include <cuda_runtime.h>

__global__ void step_kernel(float* w);
float loss_of_epoch();

class Optimizer {
 public:
  bool train() {
    if (!finished_) {
      for (int batch = 0; batch < 100; ++batch) step_kernel<<<64, 256>>>(w_);
      if (loss_of_epoch() < 0.1f) {
        restore();
        finished_ = true;
      }
      if (loss_of_epoch() > 8) cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
    }
    return finished_;
  }

 private:
  void restore() {
    cudaMemcpy(w_, best_, 4096, cudaMemcpyDeviceToDevice);
    cudaDeviceSynchronize();
  }
  float *w_ = nullptr, *best_ = nullptr;
  bool finished_ = false;
};

void until_done(float* w) {
  bool done = false;
  while (!done) {
    step_kernel<<<64, 256>>>(w);
    if (loss_of_epoch() < 0.1f) {
      cudaDeviceSynchronize();
      done = true;
    }
  }
}

// Here each batch turns the flag back, so that each batch waits.
struct Batches {
  bool sent = false;
  void next(float* w) {
    sent = false;
    while (!sent) {
      step_kernel<<<64, 256>>>(w);
      if (loss_of_epoch() < 8) {
        cudaDeviceSynchronize();  // expect-high [sync-in-loop]
        sent = true;
      }
    }
  }
};

int main() {
  Optimizer optimizer;
  bool finished = false;
  while (!finished) finished = optimizer.train();
  float* w = nullptr;
  until_done(w);
  Batches batches;
  for (int step = 0; step < 1000; ++step) {
    step_kernel<<<64, 256>>>(w);
    batches.next(w);
  }
}
