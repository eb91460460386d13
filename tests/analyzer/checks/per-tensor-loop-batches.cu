// The loop over mini-batches inside the loop over epochs is the training loop: each step needs the weights of the last.
#include <cuda_runtime.h>
#include <vector>

__global__ void forward(float* h, const float* w, const float* x, int n);
__global__ void backward(float* g, const float* h, const int* y, int n);
__global__ void sgd(float* w, const float* g, int n, float rate);

struct Batch {
  float* x;
  int* y;
  int n;
};

struct Net {
  float *w, *h, *g;
  void train_batch(const Batch& batch) {
    forward<<<1, 256>>>(h, w, batch.x, batch.n);
    backward<<<1, 256>>>(g, h, batch.y, batch.n);
    sgd<<<1, 256>>>(w, g, batch.n, 0.1f);
  }
};

void one_kernel(std::vector<float*>& batches, float* w, int n, int epochs) {
  for (int epoch = 0; epoch < epochs; ++epoch) {
    // The kernel's body is out of sight: that an iteration follows from the last only a name says.
    for (float* batch : batches) sgd<<<1, 256>>>(w, batch, n, 0.1f);  // expect-low [per-tensor-loop] expect-evidence [per-tensor-loop] {{'batches' in the name}}
  }
}

void by_method(Net& net, std::vector<Batch>& batches, int epochs) {
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (const Batch& batch : batches) net.train_batch(batch);
  }
}

void by_offset(float* w, float* h, float* g, float* images, int* labels, int n, int batch, int batches, int epochs) {
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (int i = 0; i < batches; ++i) {
      Batch b{images + i * batch, labels + i * batch, batch};
      Net net{w, h, g};
      net.train_batch(b);
    }
  }
}

void spelled_out(float* w, float* h, float* g, std::vector<Batch>& batches, int epochs) {
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (auto& batch : batches) {
      forward<<<1, 256>>>(h, w, batch.x, batch.n);
      backward<<<1, 256>>>(g, h, batch.y, batch.n);
      sgd<<<1, 256>>>(w, g, batch.n, 0.1f);
    }
  }
}
