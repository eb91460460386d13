#include <cuda_runtime.h>
#include <vector>

__global__ void k(float* x, int n);

// The same stream variable, another stream by now.
void reassigned(float* x, int n, int steps, std::vector<cudaStream_t>& streams) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256, 0, streams[0]>>>(x, n);
    k<<<1, 256, 0, streams[1]>>>(x, n);
    cudaStream_t s = streams[0];
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
    s = streams[1];
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
  }
}

void by_index(float* x, int n, int steps, cudaStream_t* streams) {
  for (int i = 0; i < steps; ++i) {
    int s = 0;
    k<<<1, 256, 0, streams[0]>>>(x, n);
    k<<<1, 256, 0, streams[1]>>>(x, n);
    cudaStreamSynchronize(streams[s]);  // expect-high [sync-in-loop]
    ++s;
    cudaStreamSynchronize(streams[s]);  // expect-high [sync-in-loop]
    cudaStreamSynchronize(streams[s]);  // expect-high [sync-in-loop]  (an index proves nothing)
  }
}
