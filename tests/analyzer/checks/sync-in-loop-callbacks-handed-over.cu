// A callback that several calls hand over: each of those in the loop makes it hot, and no other call of the helper does.
#include <cuda_runtime.h>

__global__ void k(float* x, int n);

void on_device(int device, void (*run)(float*)) {
  static float* x = nullptr;
  cudaSetDevice(device);
  run(x);
}

void step(float* x) {
  k<<<1, 256>>>(x, 256);
  // expect-calls@+1 [sync-in-loop] sync-in-loop-callbacks-handed-over.cu:28, sync-in-loop-callbacks-handed-over.cu:30
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  k<<<1, 256>>>(x, 256);
}

void launch(float* x) { k<<<1, 256>>>(x, 256); }

void second_half() {
  on_device(1, step);
}

int main() {
  on_device(0, step);
  for (int i = 0; i < 1000; ++i) {
    on_device(0, step);
    on_device(0, launch);
    second_half();
  }
}
