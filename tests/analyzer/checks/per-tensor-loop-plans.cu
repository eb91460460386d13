// Graphs that were put together before: each may run something else, so they are no work on one tensor each.
#include <cuda_runtime.h>

#include <vector>

__global__ void scale(float* x, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= factor;
}

struct Graphs {
  cudaGraphExec_t forward, backward, update, statistics;
  std::vector<cudaGraphExec_t> layers;
  std::vector<float*> buffers;
};

void train(Graphs& work, cudaStream_t stream, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    cudaGraphLaunch(work.forward, stream);
    cudaGraphLaunch(work.backward, stream);
    cudaGraphLaunch(work.update, stream);
    cudaGraphLaunch(work.statistics, stream);
    for (cudaGraphExec_t layer : work.layers) cudaGraphLaunch(layer, stream);
    for (float* buffer : work.buffers) scale<<<n / 256, 256, 0, stream>>>(buffer, 0.5f, n);  // expect-high [per-tensor-loop]
  }
}
