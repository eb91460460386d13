// A helper runs what it is given: a callback is as frequent as the call that hands it over.
#include <cuda_runtime.h>
#include <functional>
#include <vector>

__global__ void k(float* x, int n);

void on_device(int device, const std::function<void(int)>& run) {
  cudaSetDevice(device);
  run(device);
}

struct Trainer {
  std::vector<float*> x;
  void set_up() {
    on_device(0, [&](int d) {
      cudaMalloc(&x[d], 1024);
      k<<<1, 256>>>(x[d], 256);
      cudaDeviceSynchronize();
    });
  }
  void step() {
    on_device(0, [&](int d) {
      k<<<1, 256>>>(x[d], 256);
      // expect-high@+2 [sync-in-loop]
      // expect-path@+1 [sync-in-loop] sync-in-loop-callbacks-by-call.cu:35, sync-in-loop-callbacks-by-call.cu:36, sync-in-loop-callbacks-by-call.cu:23, sync-in-loop-callbacks-by-call.cu:10
      cudaDeviceSynchronize();
    });
  }
};

int main() {
  Trainer trainer;
  trainer.set_up();
  for (int i = 0; i < 1000; ++i) {
    trainer.step();
  }
  on_device(0, [&](int d) { cudaDeviceSynchronize(); });
}
