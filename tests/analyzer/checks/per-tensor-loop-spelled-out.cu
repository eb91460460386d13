// The loop over tensors written out: as many launches, one after the other.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdlib>

__global__ void sgd(float* w, const float* g, float rate, int n);
__global__ void relu(float* y, const float* x, int n);

struct Net {
  float *w1, *b1, *w2, *b2, *g1, *h1, *g2, *h2;
  int n, m;
};

void update(Net& net, float rate) {
  sgd<<<1, 256>>>(net.w1, net.g1, rate, net.n);  // expect-high {{these 4 launches ('sgd')}} [per-tensor-loop]
  sgd<<<1, 256>>>(net.b1, net.h1, rate, net.m);
  sgd<<<1, 256>>>(net.w2, net.g2, rate, net.n);
  sgd<<<1, 256>>>(net.b2, net.h2, rate, net.m);
}

void update_by_library(cublasHandle_t handle, Net& net, const float* rate) {
  cublasSaxpy(handle, net.n, rate, net.g1, 1, net.w1, 1);  // expect-high [per-tensor-loop]
  cublasSaxpy(handle, net.m, rate, net.h1, 1, net.b1, 1);
  cublasSaxpy(handle, net.n, rate, net.g2, 1, net.w2, 1);
  cublasSaxpy(handle, net.m, rate, net.h2, 1, net.b2, 1);
}

// Through a helper.
void zero(float* x, int n) { relu<<<1, 256>>>(x, nullptr, n); }
void zero_all(Net& net) {
  zero(net.g1, net.n);  // expect-high [per-tensor-loop]
  zero(net.h1, net.m);
  zero(net.g2, net.n);
  zero(net.h2, net.m);
}

// Each launch is checked, and the device is given up where one fails.
#define CHECK(call)                  \
  do {                               \
    const cudaError_t error = call;  \
    if (error != cudaSuccess) {      \
      cudaDeviceReset();             \
      exit(EXIT_FAILURE);            \
    }                                \
  } while (0)
void update_checked(Net& net, float rate) {
  sgd<<<1, 256>>>(net.w1, net.g1, rate, net.n);  // expect-high {{these 4 launches}} [per-tensor-loop]
  CHECK(cudaGetLastError());
  sgd<<<1, 256>>>(net.b1, net.h1, rate, net.m);
  CHECK(cudaGetLastError());
  sgd<<<1, 256>>>(net.w2, net.g2, rate, net.n);
  CHECK(cudaGetLastError());
  sgd<<<1, 256>>>(net.b2, net.h2, rate, net.m);
  CHECK(cudaGetLastError());
}

// One after the other, since each reads what the one before wrote.
void layers(float* a, float* b, float* c, float* d, float* e, int n) {
  relu<<<1, 256>>>(b, a, n);
  relu<<<1, 256>>>(c, b, n);
  relu<<<1, 256>>>(d, c, n);
  relu<<<1, 256>>>(e, d, n);
}

// Four layers, each with weights and a shape of its own.
struct Block {
  float* weights;
  void forward(float* y, const float* x, int n);
};
void Block::forward(float* y, const float* x, int n) {
  relu<<<1, 256>>>(y, x, n);
  relu<<<1, 256>>>(y, weights, n);
}
void levels(Block* blocks, float* a, float* b, float* c, float* d, float* y, int n) {
  blocks[0].forward(y, a, n);  // expect-medium [per-tensor-loop] expect-evidence [per-tensor-loop] {{'forward' in the name}}
  blocks[1].forward(y + n, b, n);
  blocks[2].forward(y + 2 * n, c, n);
  blocks[3].forward(y + 3 * n, d, n);
}

// Other work in between.
void mixed(Net& net, float rate) {
  sgd<<<1, 256>>>(net.w1, net.g1, rate, net.n);
  relu<<<1, 256>>>(net.w1, net.b1, net.n);
  sgd<<<1, 256>>>(net.b1, net.h1, rate, net.m);
  relu<<<1, 256>>>(net.w2, net.b1, net.n);
  sgd<<<1, 256>>>(net.w2, net.g2, rate, net.n);
  sgd<<<1, 256>>>(net.b2, net.h2, rate, net.m);
}

int main() {
  Net net{};
  cublasHandle_t handle;
  cublasCreate(&handle);
  float rate = 0.1f;
  zero_all(net);
  Block blocks[4];
  for (int step = 0; step < 1000; ++step) {
    levels(blocks, net.w1, net.b1, net.w2, net.b2, net.g1, net.n);
    layers(net.w1, net.b1, net.w2, net.b2, net.g1, net.n);
    mixed(net, rate);
    update(net, rate);
    update_checked(net, rate);
    update_by_library(handle, net, &rate);
    zero_all(net);
  }
}
