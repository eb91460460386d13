// Matrices of the program's own, each operator one kernel: expressions of them, and an optimizer written so.
#include <cuda_runtime.h>

#include <memory>
#include <vector>

__global__ void mul(float* o, const float* a, const float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) o[i] = a[i] * b[i];
}
__global__ void scale(float* o, const float* a, float s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) o[i] = a[i] * s;
}
__global__ void add(float* o, const float* a, const float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) o[i] = a[i] + b[i];
}
__global__ void root(float* o, const float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) o[i] = sqrtf(a[i]);
}
__global__ void product(float* o, const float* a, const float* b, int n) {
  int row = blockIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  o[row * n + column] = sum;
}

struct Memory {
  explicit Memory(int n);
  ~Memory();
  float* data;
};

class Matrix {
 public:
  Matrix() = default;
  explicit Matrix(int n) : n_(n), memory_(std::make_shared<Memory>(n)) {}
  bool is_there() const { return memory_ != nullptr; }
  float* data() const { return memory_->data; }
  Matrix operator*(const Matrix& o) const {
    Matrix r(n_);
    mul<<<n_ / 256, 256>>>(r.memory_->data, memory_->data, o.memory_->data, n_);
    return r;
  }
  Matrix operator+(const Matrix& o) const {
    Matrix r(n_);
    add<<<n_ / 256, 256>>>(r.memory_->data, memory_->data, o.memory_->data, n_);
    return r;
  }
  Matrix operator*(float f) const {
    Matrix r(n_);
    scale<<<n_ / 256, 256>>>(r.memory_->data, memory_->data, f, n_);
    return r;
  }
  Matrix& operator-=(const Matrix& o) {
    add<<<n_ / 256, 256>>>(memory_->data, memory_->data, o.memory_->data, n_);
    return *this;
  }
  Matrix root_of() const {
    Matrix r(n_);
    root<<<n_ / 256, 256>>>(r.memory_->data, memory_->data, n_);
    return r;
  }
  Matrix times(const Matrix& o) const {
    Matrix r(n_);
    product<<<dim3(n_ / 256, n_), 256>>>(r.memory_->data, memory_->data, o.memory_->data, n_);
    return r;
  }

 private:
  int n_ = 0;
  std::shared_ptr<Memory> memory_;
};
Matrix operator*(float f, const Matrix& m) { return m * f; }

struct Parameter {
  Matrix value, gradient;
};

class Momentum {
 public:
  void step() {
    for (size_t i = 0; i < parameters_.size(); i++) {  // expect-high [per-tensor-loop]
      auto& p = parameters_[i];
      if (!p->gradient.is_there()) continue;
      auto& v = v_[i];
      v = beta_ * v + p->gradient;
      p->value -= rate_ * v;
    }
  }
  // Each goes on from the one before.
  Matrix chained(Matrix x) {
    for (size_t i = 0; i < parameters_.size(); i++) x = x * parameters_[i]->value;
    return x;
  }

 private:
  std::vector<Parameter*> parameters_;
  std::vector<Matrix> v_;
  float beta_ = 0.9f, rate_ = 1e-3f;
};

struct HostVector {
  std::vector<float> x;
  HostVector operator+(const HostVector& o) const;
  HostVector operator*(const HostVector& o) const;
};
HostVector HostVector::operator+(const HostVector& o) const {
  HostVector r(*this);
  for (size_t i = 0; i < x.size(); ++i) r.x[i] += o.x[i];
  return r;
}
HostVector HostVector::operator*(const HostVector& o) const {
  HostVector r(*this);
  for (size_t i = 0; i < x.size(); ++i) r.x[i] *= o.x[i];
  return r;
}

float sum_of(const Matrix& m);

void optimize() {
  Momentum momentum;
  Matrix x(4096);
  for (int i = 0; i < 10000; ++i) {
    momentum.step();
    x = momentum.chained(x);
  }
}

int main() {
  optimize();
  Matrix a(4096), b(4096), c(4096), y(4096);
  HostVector h, g;
  for (int i = 0; i < 10000; ++i) {
    y = (a * b + c).root_of();  // expect-high [unfused-elementwise-chain]
    Matrix delta = 0.9f * y + a;  // expect-high [unfused-elementwise-chain]
    c -= delta;
    a = a.times(b) + c;
    b = (a + b).times(c) * y;
    Matrix seen = a * b;
    sum_of(seen);
    c = seen + a;
    h = (h * g + h) * g;
  }
}
