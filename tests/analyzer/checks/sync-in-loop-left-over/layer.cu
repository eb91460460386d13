// No program of the database reaches this unit, though one of them trains.
#include <cuda_runtime.h>

__global__ void scale(float* x, int n);

struct Layer {
  void forward(float* x, int n) {
    scale<<<64, 128>>>(x, n);
    cudaDeviceSynchronize();  // expect-low {{at each call of 'Layer::forward'}} [sync-in-loop]
    scale<<<64, 128>>>(x, n);
  }
};

extern "C" void forward(float* x, int n) {
  scale<<<64, 128>>>(x, n);
  cudaDeviceSynchronize();  // expect-medium {{at each call of 'forward'}} [sync-in-loop]
  scale<<<64, 128>>>(x, n);
}

struct Encoder {
  void forward(float* x, int n) {
    for (int i = 0; i < n; ++i) {
      scale<<<64, 128>>>(x, n);
      cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
    }
  }
};

// Other languages call it.
extern "C" void train(float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    scale<<<64, 128>>>(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

// Somebody keeps its address.
void callback(float* x, int n) {
  for (int i = 0; i < n; ++i) {
    scale<<<64, 128>>>(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}
void keep(void (*)(float*, int));
extern "C" void set_up() { keep(callback); }
