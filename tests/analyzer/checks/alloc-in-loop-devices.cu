// A loop over the devices runs each of them once: what its functions do beside their own loops is set-up.
#include <cuda_runtime.h>

__global__ void step(float* p, int n);

static void use(int device) { cudaSetDevice(device); }

static void fit(int device, int steps, int n) {
  use(device);
  float* p;
  cudaMalloc(&p, n * sizeof(float));
  for (int s = 0; s < steps; ++s) {
    step<<<n / 256, 256>>>(p, n);
    float* scratch;
    cudaMalloc(&scratch, n);  // expect-high [alloc-in-loop]
    step<<<n / 256, 256>>>(scratch, n);
    cudaFree(scratch);
  }
  cudaDeviceSynchronize();
  cudaFree(p);
}

// The number says what to train on; the device stays the same.
static void fit_fold(int fold, int steps, int n) {
  use(0);
  float* p;
  cudaMalloc(&p, n * sizeof(float));  // expect-high [alloc-in-loop]
  for (int s = 0; s < steps; ++s) step<<<n / 256, 256>>>(p, n + fold);
  cudaFree(p);
}

int main(int argc, char**) {
  int devices = 0;
  cudaGetDeviceCount(&devices);
  for (int d = 0; d < devices; ++d) fit(d, argc, 4096);
  for (int fold = 0; fold < argc; ++fold) fit_fold(fold, argc, 4096);
}
