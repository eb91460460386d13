// Between the beginning and the end of a capture nothing runs: launches there are recorded. The replay is what feeds the GPU.
#include <cuda_runtime.h>

__global__ void k(float* x, int layer);

int main() {
  float* x;
  cudaMalloc(&x, 1024);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  for (int i = 0; i < 50; ++i) k<<<1, 32, 0, stream>>>(x, i);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  for (int step = 0; step < 1000; ++step) {
    cudaGraphLaunch(exec, stream);
  }
  cudaStreamSynchronize(stream);
  for (int step = 0; step < 1000; ++step) {
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);  // expect-high [sync-in-loop]
  }
}
