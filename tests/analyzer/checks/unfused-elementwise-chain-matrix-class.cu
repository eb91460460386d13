// A matrix class over a struct of C: each method hands the struct's address to a function that launches one kernel.
#include <cuda_runtime.h>

struct matrix {
  float* data;
  int size[2];
  int on_device;
};

__global__ void scale_kernel(float* m, float by, float* to, unsigned n, float keep) {
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned threads = blockDim.x * gridDim.x;
  if (keep == 0) {
    for (unsigned i = first; i < n; i += threads) to[i] = by * m[i];
  } else {
    for (unsigned i = first; i < n; i += threads) to[i] = keep * to[i] + by * m[i];
  }
}
__global__ void add_kernel(float* a, float* b, float* to, unsigned n) {
  const unsigned first = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned threads = blockDim.x * gridDim.x;
  for (unsigned i = first; i < n; i += threads) to[i] = a[i] + b[i];
}
__global__ void sum_rows_kernel(const float* m, float* sums, int rows, int columns);

bool failed() { return cudaGetLastError() != cudaSuccess; }

int scale(matrix* m, float by, matrix* to, float keep) {
  int n = m->size[0] * m->size[1];
  if (!m->on_device || !to->on_device) return -1;
  if (m->size[0] != to->size[0] || m->size[1] != to->size[1]) return -2;
  scale_kernel<<<128, 512>>>(m->data, by, to->data, n, keep);
  return failed() ? -3 : 0;
}
int add(matrix* a, matrix* b, matrix* to) {
  int n = a->size[0] * a->size[1];
  if (!a->on_device || !to->on_device) return -1;
  add_kernel<<<128, 512>>>(a->data, b->data, to->data, n);
  return failed() ? -3 : 0;
}
int sum_rows(matrix* m, matrix* sums) {
  sum_rows_kernel<<<128, 512>>>(m->data, sums->data, m->size[0], m->size[1]);
  return failed() ? -3 : 0;
}

class Matrix {
 public:
  void scale(float by) { ::scale(&c_, by, &c_, 0); }
  void add(Matrix& other) { ::add(&c_, other.get(), &c_); }
  void sum_rows(Matrix& sums) { ::sum_rows(&c_, sums.get()); }
  matrix* get() { return &c_; }

 private:
  matrix c_;
};

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  virtual void optimize(Matrix& gradient, Matrix& parameter) = 0;
};
class Momentum : public Optimizer {
 public:
  void optimize(Matrix& gradient, Matrix& parameter) override {
    gradient.scale(rate_);  // expect-high {{3 elementwise kernels}} [unfused-elementwise-chain]
    history_.add(gradient);
    parameter.add(history_);
  }

 private:
  Matrix history_;
  float rate_ = 0.1f;
};

void train(Optimizer& optimizer, Matrix& gradient, Matrix& parameter, Matrix& sums) {
  for (int step = 0; step < 1000; ++step) {
    optimizer.optimize(gradient, parameter);
    // A sum between two elementwise kernels reads what the first one wrote: they stay apart.
    gradient.scale(0.5f);
    gradient.sum_rows(sums);
    gradient.add(parameter);
  }
}

int main() {
  Momentum momentum;
  Matrix gradient, parameter, sums;
  train(momentum, gradient, parameter, sums);
}
