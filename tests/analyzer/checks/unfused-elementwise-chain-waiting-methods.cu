// Each method waits for what was launched before it: the waits part no chain, but what the host reads behind them does.
#include <cuda_runtime.h>

__global__ void add_kernel(const float* a, const float* b, float* to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = a[i] + b[i];
}
__global__ void tanh_kernel(const float* a, float* to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = tanhf(a[i]);
}

class Matrix {
 public:
  void wait() const { cudaDeviceSynchronize(); }
  void add(const Matrix& other, Matrix& to) const {
    wait();  // expect-high [sync-in-loop]
    add_kernel<<<(n_ + 255) / 256, 256>>>(data_, other.data_, to.data_, n_);
  }
  void tanh(Matrix& to) const {
    wait();  // expect-high [sync-in-loop]
    tanh_kernel<<<(n_ + 255) / 256, 256>>>(data_, to.data_, n_);
  }
  float first() const { return mapped_[0]; }

 private:
  float* data_;
  volatile float* mapped_;
  int n_;
};

float train(const Matrix& x, const Matrix& bias, Matrix& sum, Matrix& out) {
  float seen = 0;
  for (int step = 0; step < 1000; ++step) {
    x.add(bias, sum);  // expect-high [unfused-elementwise-chain]
    sum.tanh(out);
    x.add(bias, sum);
    seen += sum.first();
    sum.tanh(out);
  }
  return seen;
}
