// Conditions with the constant first, and flags that are compared: `false == done`, `net.train == 0`. They mean what the
// shorter forms mean.
#include <cuda_runtime.h>

__global__ void scale(float* x) { x[threadIdx.x] *= 2; }

struct Net {
  int train;
};

float *x, *scratch;
bool ready = false, done = false;
bool is_asked();

void clean_up() { cudaFree(x); }

void train(Net& net, int steps, int n, bool is_training, bool is_busy) {
  bool first = true;
  for (int step = 0; step < steps; ++step) {
    scale<<<1, 100>>>(x);
    if (nullptr == scratch) cudaMalloc(&scratch, n);
    if (false == ready) {
      cudaMalloc(&scratch, n);
      ready = true;
    }
    if (true == first) {
      cudaDeviceSynchronize();
      first = false;
    }
    if (0 == step % 100) cudaDeviceSynchronize();      // expect-low [sync-in-loop]
    if (net.train == 0) cudaDeviceSynchronize();       // expect-medium [sync-in-loop]
    if (1 != net.train) cudaDeviceSynchronize();       // expect-medium [sync-in-loop]
    if (false == is_training) cudaDeviceSynchronize(); // expect-medium [sync-in-loop]
    if (true == is_training) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    if (false == is_busy) cudaDeviceSynchronize();     // expect-high [sync-in-loop]
  }
}

int main(int argc, char**) {
  cudaMalloc(&x, 400);
  Net net{argc};
  train(net, 1000, 400, argc > 1, argc > 2);
  while (false == done) {
    scale<<<1, 100>>>(x);
    if (is_asked()) {
      done = true;
      clean_up();
    }
  }
}
