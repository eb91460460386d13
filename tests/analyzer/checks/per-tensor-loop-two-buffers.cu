// Layers that go from one of two buffers into the other: each reads what the one before wrote.
#include <cuda_runtime.h>

#include <utility>
#include <vector>

__global__ void mm(const float* x, const float* w, float* y, int n) {
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += x[j] * w[j * n + threadIdx.x];
  y[threadIdx.x] = sum;
}
__global__ void scale(float* w, int n, float by);

struct Layer {
  float* w;
  int n;
};

void swapped(std::vector<float*>& ws, float* x, float* y) {
  for (float* w : ws) {
    mm<<<1, 256>>>(x, w, y, 256);
    std::swap(x, y);
  }
}
struct Net {
  std::vector<Layer> layers;
  float *front, *back;
  void forward() {
    for (auto& layer : layers) {
      mm<<<1, 256>>>(front, layer.w, back, layer.n);
      std::swap(front, back);
    }
  }
};
void toggled(std::vector<Layer>& layers, float** buffers) {
  int from = 0;
  for (auto& layer : layers) {
    mm<<<1, 256>>>(buffers[from], layer.w, buffers[from ^ 1], layer.n);
    from ^= 1;
  }
}
void counted(std::vector<Layer>& layers, float** buffers) {
  int from = 0;
  for (auto& layer : layers) {
    mm<<<1, 256>>>(buffers[from], layer.w, buffers[1 - from], layer.n);
    from = 1 - from;
  }
}
// What toggles says nothing of the weights.
void scaled(std::vector<Layer>& layers, int steps) {
  bool odd = false;
  for (int s = 0; s < steps; ++s) {
    for (auto& layer : layers) scale<<<1, 256>>>(layer.w, layer.n, odd ? 1 : 2);  // expect-high [per-tensor-loop]
    odd = !odd;
  }
}

int main() {
  std::vector<float*> ws(12);
  std::vector<Layer> layers(12);
  Net net;
  float* buffers[2];
  for (auto& buffer : buffers) cudaMalloc(&buffer, 4096);
  for (int s = 0; s < 1000; ++s) {
    swapped(ws, buffers[0], buffers[1]);
    net.forward();
    toggled(layers, buffers);
    counted(layers, buffers);
  }
  scaled(layers, 1000);
}
