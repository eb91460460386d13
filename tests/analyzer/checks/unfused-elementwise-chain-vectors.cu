// cuBLAS' vector operations behind functions that take a vector with its length: each takes the length of its own
// operand, and all go over one vector.
#include <cublas_v2.h>
#include <cuda_runtime.h>

struct Vector {
  int size;
  float* data;
};

const float kOne = 1;

inline void add(cublasHandle_t handle, float a, const Vector* x, Vector* y) {
  cublasSaxpy(handle, x->size, &a, x->data, 1, y->data, 1);
}

// It moves the vector's data: what follows is another array.
void advance(cublasHandle_t handle, const Vector* x, Vector* y) {
  y->data += y->size;
  cublasSaxpy(handle, x->size, &kOne, x->data, 1, y->data, 1);
}

void march(cublasHandle_t handle, Vector z, Vector dual, int steps) {
  for (int k = 0; k < steps; ++k) {
    advance(handle, &z, &dual);
    advance(handle, &z, &dual);
    advance(handle, &z, &dual);
    cudaMemset(z.data, 0, 4);
  }
}

void reset(Vector* y);

void restart(cublasHandle_t handle, Vector z, Vector half, Vector dual, int steps) {
  for (int k = 0; k < steps; ++k) {
    add(handle, 1.5f, &half, &dual);
    reset(&dual);
    add(handle, -1.0f, &z, &dual);
    cudaMemset(z.data, 0, 4);
  }
}

void solve(cublasHandle_t handle, Vector z, Vector half, Vector before, Vector dual, int steps) {
  for (int k = 0; k < steps; ++k) {
    add(handle, 1.5f, &half, &dual);  // expect-high {{9 passes over memory where one kernel needs at most 5}} [unfused-elementwise-chain]
    add(handle, -0.5f, &before, &dual);
    add(handle, -1.0f, &z, &dual);
    cudaMemset(z.data, 0, 4);
  }
}
