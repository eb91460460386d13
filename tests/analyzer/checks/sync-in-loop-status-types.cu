// A status of any library whose table names its status types: the branch that it takes, other than for success, is an
// error path.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

typedef enum cufftResult_t { CUFFT_SUCCESS = 0, CUFFT_EXEC_FAILED = 6 } cufftResult;
typedef int cufftHandle;
extern "C" cufftResult cufftExecC2C(cufftHandle plan, float2* in, float2* out, int direction);
enum Mode { kPlain = 0, kChecked = 1 };
Mode mode_of(int step);

__global__ void scale(float2* x) { x[threadIdx.x].x *= 0.5f; }

void train(cufftHandle plan, float2* x, int steps) {
  for (int step = 0; step < steps; ++step) {
    const cufftResult result = cufftExecC2C(plan, x, x, 1);
    if (result != CUFFT_SUCCESS) {
      cudaDeviceSynchronize();
      std::printf("step %d: %d\n", step, result);
    }
    const Mode mode = mode_of(step);
    if (mode != kPlain) {
      cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    }
    scale<<<1, 32>>>(x);
  }
}

int main(int argc, char** argv) {
  float2* x;
  cudaMalloc(&x, 1024);
  train(argc, x, std::atoi(argv[1]));
}
