// status: partial
// Names that newer headers have, too: the build that this was written for had one meaning for them.
#include <cuda/std/cstddef>
#include <thrust/execution_policy.h>
#include <thrust/scan.h>
#include <thrust/system/cuda/execution_policy.h>
#include <iterator>

using namespace std;
using namespace thrust;

float* data;

__global__ void step(float* x, int n);

void grow(float* hist, float* sums, int n, int levels) {
  for (int level = 0; level < levels; ++level) {
    step<<<n / 256, 256>>>(hist, n);
    inclusive_scan(cuda::par, hist, hist + n, sums);  // expect-high [sync-in-loop]
  }
}

int main() {
  float loss;
  cudaMalloc(&data, 4096 * 4);
  grow(data, data + 2048, 2048, 10);
  for (int i = 0; i < 10000; ++i) {
    step<<<16, 256>>>(data, 4096);
    cudaMemcpy(&loss, data, 4, cudaMemcpyDeviceToHost);  // expect-high [scalar-readback]
  }
}
