// A layer may run other layers: a call that leads back into the function that waits is no further call that makes it hot.
#include <cuda_runtime.h>

__global__ void k(float* x, int n);

struct Layer {
  virtual ~Layer() = default;
  virtual void compute(float* x, int n) { k<<<1, 256>>>(x, n); }
  void forward(float* x, int n) {
    compute(x, n);
    // expect-calls@+1 [sync-in-loop] sync-in-loop-calls-round.cu:38, sync-in-loop-calls-round.cu:39, sync-in-loop-calls-round.cu:28
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    k<<<1, 256>>>(x, n);
  }
};
struct Pair : Layer {
  Layer *first, *second;
  void compute(float* x, int n) override {
    first->forward(x, n);
    second->forward(x, n);
  }
};

// A second call in a helper is one.
void one_step(Layer& layer, float* x, int n) {
  k<<<1, 256>>>(x, n);
  layer.forward(x, n);
  layer.forward(x, n);
}

int main() {
  float* x;
  cudaMalloc(&x, 1024);
  Pair made;
  made.first = made.second = new Layer;
  Layer& pair = made;  // whose class no call says
  for (int i = 0; i < 1000; ++i) {
    pair.forward(x, 256);
    one_step(pair, x, 256);
  }
}
