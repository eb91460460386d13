// A view owns nothing, and its destructor frees nothing: a flag that its constructor leaves off says so.
#include <cuda_runtime.h>

__global__ void k(float* p, int n);

struct Matrix {
  explicit Matrix(int n) : own(true) { cudaMalloc(&data, n * 4); }
  Matrix(Matrix& all, int offset) : data(all.data + offset), own(false) {}
  ~Matrix() {
    if (own) cudaFree(data);
  }
  float* data;
  bool own;
};

struct Storage {
  explicit Storage(int n) { allocate(n); }
  Storage(Storage& all, int offset) { data = all.data + offset; }
  virtual ~Storage() { release(); }
  void allocate(int n) {
    own = true;
    cudaMalloc(&data, n * 4);
  }
  void release() {
    if (data && own) cudaFree(data);
    data = nullptr;
  }
  float* data = nullptr;
  bool own = false;
};

struct Tensor : Storage {
  explicit Tensor(int n) : Storage(n) {}
  Tensor(Tensor& all, int offset) : Storage(all, offset) {}
};

void owners(int steps) {
  for (int i = 0; i < steps; ++i) {
    Matrix own(1024);  // expect-high {{cudaMalloc}} [alloc-in-loop]
    k<<<1, 32>>>(own.data, 32);
  }
}

void views(Matrix& matrix, Storage& storage, Tensor& tensor, int steps) {
  for (int i = 0; i < steps; ++i) {
    Matrix rows(matrix, 4);
    Storage part(storage, 4);
    Tensor block(tensor, 4);
    k<<<1, 32>>>(rows.data, 32);
    k<<<1, 32>>>(part.data, 32);
    k<<<1, 32>>>(block.data, 32);
  }
}

// Begins as a view, and does not end as one.
void filled_later(Storage& storage, int steps, int n) {
  for (int i = 0; i < steps; ++i) {
    Storage part(storage, 4);
    part.allocate(n);  // expect-high {{cudaMalloc}} [alloc-in-loop]
    k<<<1, 32>>>(part.data, 32);
  }
}
