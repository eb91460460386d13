// <tuple> of an older C++ library includes <array>. With a newer one the class is only declared: its header is read all
// the same, and nothing of the unit is lost.
#include <cuda_runtime.h>

#include <tuple>
#include <vector>

struct Blob {
  std::array<int, 4> shape;
  float* data;
  int blocks() const { return shape[0]; }
  cudaError_t to_host(std::vector<float>& out) {
    return cudaMemcpy(out.data(), data, out.size() * sizeof(float), cudaMemcpyDeviceToHost);
  }
};
__global__ void scale(float* x) { x[threadIdx.x] *= 2; }

struct Loss {
  void log(Blob& outputs) {
    std::array<int, 4> shape = outputs.shape;
    std::vector<float> host(shape[0] * shape[1]);
    outputs.to_host(host);
  }
};
void train(Blob outputs, int steps) {
  Loss loss;
  for (int step = 0; step < steps; ++step) {
    scale<<<outputs.blocks(), 32>>>(outputs.data);
    loss.log(outputs);  // expect-high [blocking-copy-in-loop]
  }
}
