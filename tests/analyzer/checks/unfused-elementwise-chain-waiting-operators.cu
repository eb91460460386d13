// A matrix class whose methods wait for the device, take scratch memory, launch one kernel and give back a new matrix.
#include <cuda_runtime.h>
#include <vector>

__global__ void add_kernel(const float* a, const float* b, float* to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = a[i] + b[i];
}
__global__ void multiply_kernel(const float* a, const float* b, float* to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = a[i] * b[i];
}
__global__ void scale_kernel(const float* a, float by, float* to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = a[i] * by;
}
class Matrix {
 public:
  explicit Matrix(int n) : n_(n) { cudaMallocAsync(&data_, n * sizeof(float), 0); }
  Matrix(const Matrix& other) : Matrix(other.n_) {
    other.sync();
    cudaMemcpy(data_, other.data_, n_ * sizeof(float), cudaMemcpyDeviceToDevice);
  }
  Matrix(Matrix&& other) : data_(other.data_), n_(other.n_) { other.data_ = nullptr; }
  ~Matrix() {
    if (data_ != nullptr) cudaFreeAsync(data_, 0);
  }
  static Matrix like(const Matrix& other) { return Matrix(other.n_); }
  void sync() const { cudaDeviceSynchronize(); }
  void add(const Matrix& other, Matrix& out) const {
    if (n_ != other.n_) throw 1;
    sync();  // expect-high [sync-in-loop]
    add_kernel<<<80, 256>>>(data_, other.data_, out.data_, n_);
  }
  Matrix add(const Matrix& other) const {
    Matrix out = Matrix::like(*this);
    this->add(other, out);
    return out;
  }
  void multiply(const Matrix& other, Matrix& out) const {
    sync();  // expect-high [sync-in-loop]
    multiply_kernel<<<80, 256>>>(data_, other.data_, out.data_, n_);
  }
  Matrix multiply(const Matrix& other) const {
    Matrix out = Matrix::like(*this);
    this->multiply(other, out);
    return out;
  }
  Matrix scale(float by) const {
    Matrix out(n_);
    sync();  // expect-high [sync-in-loop]
    scale_kernel<<<80, 256>>>(data_, by, out.data_, n_);
    return out;
  }

 private:
  float* data_ = nullptr;
  int n_;
};

struct Layer {
  std::vector<Matrix> tanh_c, c, f;
  void backward(int steps, Matrix& up, Matrix& ones, Matrix& grad) {
    for (int t = steps - 1; t >= 0; --t) {
      Matrix squared = tanh_c[t].multiply(tanh_c[t]);  // expect-high {{12 pointwise operations}} [unfused-elementwise-chain]
      Matrix derivative = ones.add(squared.scale(-1));
      Matrix dc = up.multiply(c[t]);
      dc.multiply(derivative, dc);
      dc.add(up, dc);
      Matrix df = dc.multiply(c[t]);
      df.multiply(f[t], df);
      df.multiply(ones.add(f[t].scale(-1)), df);
      grad.add(df, grad);
    }
  }
};
int main() {
  Layer layer;
  Matrix up(8), ones(8), grad(8);
  for (int step = 0; step < 1000; ++step) layer.backward(10, up, ones, grad);
}
