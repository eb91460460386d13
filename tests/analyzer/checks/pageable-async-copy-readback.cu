// A copy to the host that is waited for at once is one read-back, whatever the memory is. A wait for an earlier step's
// event is none for this copy.
#include <cuda_runtime.h>

__global__ void k(float* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += 1;
}
float value(float* p, cudaStream_t stream) {
  float loss;
  cudaMemcpyAsync(&loss, p, sizeof(float), cudaMemcpyDeviceToHost, stream);  // expect-high [scalar-readback]
  cudaStreamSynchronize(stream);
  return loss;
}

int main() {
  float *p, sum = 0, *rows = new float[1 << 20];
  cudaMalloc(&p, 4 << 20);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaEvent_t done[2];
  for (cudaEvent_t& event : done) cudaEventCreate(&event);
  for (int i = 0; i < 1000; ++i) {
    k<<<4096, 256, 0, stream>>>(p, 1 << 20);
    sum += value(p, stream);
  }
  for (int i = 0; i < 1000; ++i) {
    k<<<4096, 256, 0, stream>>>(p, 1 << 20);
    cudaMemcpyAsync(rows, p, 4 << 20, cudaMemcpyDeviceToHost, stream);  // expect-high [pageable-async-copy]
    cudaEventRecord(done[i % 2], stream);
    if (i > 0) cudaEventSynchronize(done[(i + 1) % 2]);
  }
  return sum > 0;
}
