// What follows `if (!init()) return` runs once where init() succeeds once: a loop there is the program's training.
#include <cuda_runtime.h>

__global__ void train(float* x);
__global__ void fill(float* x);

static float* parameters = nullptr;
static bool is_ready = false;

bool init(int n) {
  if (parameters != nullptr) return false;
  cudaMalloc(&parameters, n);
  return true;
}

// The same in words of its own: the first call alone says true.
bool is_first() {
  if (is_ready) return false;
  is_ready = true;
  return true;
}

void run(int steps) {
  if (!init(1024)) return;
  for (int i = 0; i < steps; ++i) {
    train<<<1, 256>>>(parameters);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

// What the first call of a step alone does is set-up.
void step() {
  if (is_first()) {
    for (int i = 0; i < 1000; ++i) {
      fill<<<1, 256>>>(parameters + i);
      cudaDeviceSynchronize();
    }
  }
  train<<<1, 256>>>(parameters);
}

int main(int argc, char**) {
  run(1000);
  if (!init(argc)) return 1;
  while (true) {
    step();
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}
