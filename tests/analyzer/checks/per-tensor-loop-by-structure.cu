// Whether one launch can do what a loop's call does for each element is told by what the launches read and write. The
// function's name says nothing of it.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <memory>
#include <vector>

__global__ void sgd(float* w, const float* g, float rate, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) w[i] -= rate * g[i];
}
__global__ void decay(float* w, float keep, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) w[i] *= keep;
}
__global__ void product(float* out, const float* w, const float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += w[k * n + i] * x[k];
  out[i] = sum;
}
__global__ void squash(float* out, const float* in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tanhf(in[i]);
}
__global__ void difference(float* d, const float* out, const float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d[i] = out[i] - y[i];
}
__global__ void declared_forward(float* out, const float* w, const float* x, int n);
__global__ void declared_update(float* w, const float* out, int n);

struct Param {
  float *w, *g;
  int n;
};

// Called `train`, `fit` or anything: each call updates its own arrays.
void train(Param& p) { sgd<<<(p.n + 255) / 256, 256>>>(p.w, p.g, 0.1f, p.n); }
void fit(Param& p) {
  // expect-high@+1 [unfused-elementwise-chain]
  sgd<<<(p.n + 255) / 256, 256>>>(p.w, p.g, 0.1f, p.n);
  decay<<<(p.n + 255) / 256, 256>>>(p.w, 0.9f, p.n);
}
void by_library(cublasHandle_t handle, Param& p) {
  const float rate = -0.1f;
  cublasSaxpy(handle, p.n, &rate, p.g, 1, p.w, 1);
}

void parameters(cublasHandle_t handle, std::vector<Param>& all, Param* array, int count) {
  for (Param& p : all) train(p);  // expect-high [per-tensor-loop]
  for (Param& p : all) fit(p);  // expect-high [per-tensor-loop]
  for (int i = 0; i < count; ++i) fit(array[i]);  // expect-high [per-tensor-loop]
  for (Param& p : all) by_library(handle, p);  // expect-high [per-tensor-loop]
}

// An optimizer of its own for each parameter, all of them elementwise: one launch can do that.
struct Rule {
  virtual ~Rule() = default;
  virtual void go(Param& p) = 0;
};
struct Plain : Rule {
  void go(Param& p) override { sgd<<<(p.n + 255) / 256, 256>>>(p.w, p.g, 0.1f, p.n); }
};
struct Decaying : Rule {
  void go(Param& p) override {
    decay<<<(p.n + 255) / 256, 256>>>(p.w, 0.9f, p.n);  // expect-high [unfused-elementwise-chain]
    sgd<<<(p.n + 255) / 256, 256>>>(p.w, p.g, 0.1f, p.n);
  }
};
void by_rule(Rule& rule, std::vector<Param>& all) {
  for (Param& p : all) rule.go(p);  // expect-high [per-tensor-loop]
}

// One sample after the other through one network, whose weights each sample changes.
struct Net {
  float *w, *out, *d;
  int n;
  void sample(const float* x, const float* y) {
    product<<<1, 256>>>(out, w, x, n);
    difference<<<1, 256>>>(d, out, y, n);  // expect-high [unfused-elementwise-chain]
    sgd<<<1, 256>>>(w, d, 0.1f, n);
  }
};
void once(Net& net, const float* x, const float* y) {
  product<<<1, 256>>>(net.out, net.w, x, net.n);
  sgd<<<1, 256>>>(net.w, net.out, 0.1f, net.n);
}
void out_of_sight(float* w, float* out, const float* x, int n) {
  declared_forward<<<1, 256>>>(out, w, x, n);
  declared_update<<<1, 256>>>(w, out, n);
}
void samples(Net& net, float* x, float* y, float* w, float* out, int count, int n) {
  for (int i = 0; i < count; ++i) net.sample(x + i * n, y + i * n);
  for (int i = 0; i < count; ++i) once(net, x + i * n, y + i * n);
  for (int i = 0; i < count; ++i) out_of_sight(w, out, x + i * n, n);
}

// Only scratch memory is shared: with more of it one launch can take all samples.
void through_scratch(float* scratch, float* result, const float* x, const float* w, int n) {
  squash<<<1, 256>>>(scratch, x, n);
  product<<<1, 256>>>(result, w, scratch, n);
}
void outputs(float* scratch, float* results, const float* x, const float* w, int count, int n) {
  for (int i = 0; i < count; ++i) through_scratch(scratch, results + i * n, x + i * n, w, n);  // expect-high [per-tensor-loop]
}

// A layer's output is the next one's input, as the constructor shows.
struct Layer {
  explicit Layer(Layer* before, int n) : in(before ? before->out : nullptr), n(n) { cudaMalloc(&out, n * sizeof(float)); }
  void run() { squash<<<(n + 255) / 256, 256>>>(out, in, n); }
  float *in, *out;
  int n;
};
void layers(std::vector<std::unique_ptr<Layer>>& all) {
  for (auto& layer : all) layer->run();
}

int main() {
  cublasHandle_t handle;
  cublasCreate(&handle);
  std::vector<Param> all(8);
  Net net{};
  Plain plain;
  Decaying decaying;
  float *x = nullptr, *y = nullptr, *w = nullptr, *out = nullptr;
  cudaMalloc(&x, 4096);
  cudaMalloc(&y, 4096);
  cudaMalloc(&w, 4096);
  cudaMalloc(&out, 4096);
  std::vector<std::unique_ptr<Layer>> network;
  network.push_back(std::make_unique<Layer>(nullptr, 256));
  for (int i = 0; i < 7; ++i) network.push_back(std::make_unique<Layer>(network.back().get(), 256));
  for (int step = 0; step < 1000; ++step) {
    parameters(handle, all, all.data(), 8);
    by_rule(plain, all);
    by_rule(decaying, all);
    samples(net, x, y, w, out, 16, 64);
    outputs(out, y, x, w, 16, 64);
    layers(network);
  }
}
