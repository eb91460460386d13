// Operators that check the sizes of their operands with a function that gets a message in a std::string: making the
// string runs no code of the program, so the launches around it are neighbours.
#include <cuda_runtime.h>
#include <stdexcept>
#include <string>
#include <thread>

void watch();

void require(bool holds, const std::string& text) {
  if (!holds) throw std::runtime_error(text);
}

void complain(const std::string& text);
void require_named(bool holds, std::string text, int line) {
  if (!holds) complain(text + std::to_string(line));
}
void work_unless(bool done) {
  if (!done) watch();
}

__global__ void scale_kernel(float* a, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] *= by;
}
__global__ void subtract_kernel(float* a, const float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] -= b[i];
}

struct Matrix {
  float* data;
  int rows, columns;
  int size() const { return rows * columns; }
  Matrix& operator*=(float by) {
    scale_kernel<<<size() / 256, 256>>>(data, by, size());
    return *this;
  }
  Matrix& operator-=(const Matrix& b) {
    require(rows == b.rows && columns == b.columns, "the sizes differ");
    subtract_kernel<<<size() / 256, 256>>>(data, b.data, size());
    return *this;
  }
  Matrix& subtract_named(const Matrix& b) {
    require_named(rows == b.rows, "the sizes differ", __LINE__);
    subtract_kernel<<<size() / 256, 256>>>(data, b.data, size());
    return *this;
  }
  Matrix& subtract_unless(const Matrix& b) {
    work_unless(rows == b.rows);
    subtract_kernel<<<size() / 256, 256>>>(data, b.data, size());
    return *this;
  }
  Matrix& subtract_watched(const Matrix& b) {
    std::thread other(watch);  // may do anything with the matrix
    subtract_kernel<<<size() / 256, 256>>>(data, b.data, size());
    other.join();
    return *this;
  }
};

void train(Matrix& weights, Matrix& gradient, float rate, int steps) {
  for (int i = 0; i < steps; ++i) {
    gradient *= rate;  // expect-high [unfused-elementwise-chain]
    weights -= gradient;
  }
}

void train_named(Matrix& weights, Matrix& gradient, float rate, int steps) {
  for (int i = 0; i < steps; ++i) {
    gradient *= rate;  // expect-high [unfused-elementwise-chain]
    weights.subtract_named(gradient);
  }
}

void train_unless(Matrix& weights, Matrix& gradient, float rate, int steps) {
  for (int i = 0; i < steps; ++i) {
    gradient *= rate;
    weights.subtract_unless(gradient);
  }
}

void train_watched(Matrix& weights, Matrix& gradient, float rate, int steps) {
  for (int i = 0; i < steps; ++i) {
    gradient *= rate;
    weights.subtract_watched(gradient);
  }
}
