// A graph captured and instantiated in each step: the driver makes it anew, node by node, and says so.
#include <cuda_runtime.h>

__global__ void scale(float* x) { x[threadIdx.x] *= 2; }

// Instantiated anew only where the update fails.
void updated(float* x, cudaStream_t stream, int steps) {
  cudaGraphExec_t ready = nullptr;
  for (int step = 0; step < steps; ++step) {
    cudaGraph_t graph;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    scale<<<1, 256, 0, stream>>>(x);
    cudaStreamEndCapture(stream, &graph);
    if (ready == nullptr) {
      cudaGraphInstantiate(&ready, graph, 0);
    } else {
      cudaGraphExecUpdateResultInfo info;
      cudaGraphExecUpdate(ready, graph, &info);
      if (info.result != cudaGraphExecUpdateSuccess) {
        cudaGraphExecDestroy(ready);
        cudaGraphInstantiate(&ready, graph, 0);
      }
    }
    cudaGraphLaunch(ready, stream);
    cudaGraphDestroy(graph);
  }
}

int main() {
  float* x;
  cudaMalloc(&x, 1024);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  updated(x, stream, 1000);
  for (int step = 0; step < 1000; ++step) {
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    scale<<<1, 256, 0, stream>>>(x);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&ready, graph, 0);  // expect-high [alloc-in-loop] {{makes an executable graph, node by node}} {{Instantiate the graph once}}
    cudaGraphLaunch(ready, stream);
    cudaGraphExecDestroy(ready);
    cudaGraphDestroy(graph);
  }
}
