#include "../step.h"

static void kernel(float*) {}

int main() {
  float* device = nullptr;
  cudaStream_t stream = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&device), 4096);
  void* arguments[] = {&device};
  for (int i = 0; i < 1000; ++i)
    cudaLaunchKernel(reinterpret_cast<const void*>(&kernel), dim3(1), dim3(32), arguments, 0, stream);
  cudaStreamSynchronize(stream);
}
