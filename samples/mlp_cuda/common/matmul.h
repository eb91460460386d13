// Row-major matrix products on one stream, by cuBLAS in fp32.
#pragma once

#include "common/device_buffer.h"

struct cublasContext;  // cublasHandle_t points to one; cuBLAS itself is matmul.cpp's affair

class Matmul {
 public:
  // max_rows: the most rows that column_sums will be asked to add.
  Matmul(cudaStream_t stream, int max_rows);
  ~Matmul();
  Matmul(const Matmul&) = delete;
  Matmul& operator=(const Matmul&) = delete;

  // c[m,n] = a[m,k] b[k,n]
  void multiply(const float* a, const float* b, float* c, int m, int n, int k);
  // c[m,n] = a[m,k] b[n,k]^T
  void multiply_b_transposed(const float* a, const float* b, float* c, int m, int n, int k);
  // c[m,n] = a[k,m]^T b[k,n]
  void multiply_a_transposed(const float* a, const float* b, float* c, int m, int n, int k);
  // sums[n] = the sum over the rows of a[m,n]
  void column_sums(const float* a, float* sums, int m, int n);

 private:
  cublasContext* handle_ = nullptr;
  DeviceBuffer<float> ones_;
};
