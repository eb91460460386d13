// Managed memory that goes through layers behind a virtual interface. What a layer's object holds is the host's own
// memory, and so are the containers that hold the layers: reading them needs no wait.
#include <cuda_runtime.h>

#include <vector>

__global__ void forward(const float* x, float* y, int n);
__global__ void backward(float* x, const float* y, int n);
__global__ void difference(float* x, const float* target, int n);
void read_targets(float* target, int n);

struct Layer {
  virtual ~Layer() = default;
  virtual void forward_pass(float* x, float* y) = 0;
  virtual void backward_pass() = 0;
  int size;
  float* out;
};

struct Linear : Layer {
  float *in, *weights;
  Linear(int n) {
    size = n;
    cudaMallocManaged(&weights, n * sizeof(float));
    cudaMallocManaged(&out, n * sizeof(float));
    for (int i = 0; i < n; ++i) weights[i] = 1;
  }
  void forward_pass(float* x, float* y) override {
    in = x;
    out = y;
    forward<<<1, 256>>>(in, out, size);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
  void backward_pass() override {
    backward<<<1, 256>>>(in, out, size);
    cudaDeviceSynchronize();  // the host reads the weights next
    for (int i = 0; i < size; ++i) in[i] = 0;
  }
};

struct Relu : Layer {
  float* in;
  Relu(int n) {
    size = n;
    cudaMallocManaged(&out, n * sizeof(float));
  }
  void forward_pass(float* x, float* y) override {
    in = x;
    out = y;
    forward<<<1, 256>>>(in, out, size);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
  void backward_pass() override { backward<<<1, 256>>>(in, out, size); }
};

void pass(float* x, std::vector<Layer*> layers) {
  for (int i = 0; i < layers.size(); ++i) {
    Layer* layer = layers[i];
    int n = layer->size;
    if (n > 0) layer->forward_pass(x, layer->out);
    x = layer->out;
  }
}

int main() {
  float *x, *target;
  cudaMallocManaged(&x, 1024);
  cudaMallocManaged(&target, 1024);
  Linear linear(256);
  Relu relu(256);
  std::vector<Layer*> layers{&linear, &relu};
  for (int step = 0; step < 1000; ++step) {
    pass(x, layers);
    difference<<<1, 256>>>(layers.back()->out, target, 256);
    cudaDeviceSynchronize();
    read_targets(target, 256);
    for (int i = layers.size() - 1; i >= 0; --i) layers[i]->backward_pass();
  }
}
