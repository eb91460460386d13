// A function that is handed a status and returns a bool: its body says whether true is success, not its name.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void kernel(float* p) { p[threadIdx.x] += 1; }

bool check(cudaError_t error, const char* text) {
  if (error != cudaSuccess) {
    fprintf(stderr, "%s: %s\n", text, cudaGetErrorString(error));
    return false;
  } else {
    return true;
  }
}
bool bad(cudaError_t error) { return error != cudaSuccess; }

bool prepare(float* p) { return check(cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferL1), "prepare"); }

bool back_project(float* p, cudaStream_t stream) {
  if (!prepare(p)) return false;
  kernel<<<1, 32, 0, stream>>>(p);
  return check(cudaStreamSynchronize(stream), "back_project");  // expect-high [sync-in-loop]
}

bool forward_project(float* p, cudaStream_t stream) {
  if (bad(cudaGetLastError())) {
    cudaDeviceSynchronize();
    return false;
  }
  kernel<<<1, 32, 0, stream>>>(p);
  if (!check(cudaGetLastError(), "forward_project")) {
    cudaDeviceSynchronize();
    return false;
  }
  if (check(cudaGetLastError(), "again")) {
    cudaStreamSynchronize(stream);  // expect-high [sync-in-loop]
  }
  return true;
}

int main() {
  float* p;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&p, 128);
  for (int i = 0; i < 1000; ++i) {
    if (!forward_project(p, stream)) return 1;
    if (!back_project(p, stream)) return 1;
  }
}
