// What a loop does on its way out of the program or out of itself runs once.
#include <cuda_runtime.h>

#include <cstdlib>

int next_key();
__global__ void train(float* x) { x[threadIdx.x] *= 2; }

static float* weights;

static void stop() {
  cudaDeviceSynchronize();
  cudaFree(weights);
  exit(0);
}
[[noreturn]] static void stop_for_good() {
  cudaFree(weights);
  exit(0);
}
static void complain() {
  cudaDeviceReset();
  throw 1;
}

void by_function() {
  for (;;) {
    train<<<1, 256>>>(weights);
    if (next_key() == 'q') stop();
    if (next_key() == 'x') stop_for_good();
  }
}

void by_exception() {
  for (;;) {
    train<<<1, 256>>>(weights);
    if (next_key() == 'q') {
      cudaDeviceSynchronize();
      complain();
    }
  }
}

void by_case(float* x) {
  for (;;) {
    train<<<1, 256>>>(x);
    switch (next_key()) {
      case 'q':
        cudaDeviceSynchronize();
        cudaFree(x);
        exit(0);
      case 'x': {
        cudaDeviceSynchronize();
        return;
      }
      case 's':
        cudaDeviceSynchronize();  // expect-high [sync-in-loop]
        break;
      default: break;
    }
  }
}

static void handle(int key, float* x) {
  switch (key) {
    case 'q':
      cudaFree(x);
      exit(0);
    case 's':
      cudaDeviceSynchronize();  // expect-high [sync-in-loop]
      return;
  }
}
void by_callee_case(float* x) {
  for (;;) {
    train<<<1, 256>>>(x);
    handle(next_key(), x);
  }
}

// All the work of a program, called once from a branch.
static void run_all(float* x) {
  for (int i = 0; i < 1000; ++i) {
    train<<<1, 256>>>(x);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
  exit(0);
}

int main(int argc, char** argv) {
  cudaMalloc(&weights, 4096);
  switch (argc) {
    case 1: by_function(); break;
    case 2: by_exception(); break;
    case 3: by_case(weights); break;
    case 4: by_callee_case(weights); break;
  }
  if (argc > 5) run_all(weights);
}
