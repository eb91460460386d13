// A loop that calls cuBLAS' vector functions for each parameter, without a helper around them.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <vector>

struct Parameter {
  float *w, *g, *m;
  int n;
};

void descend(std::vector<Parameter>& parameters, cublasHandle_t handle, int steps) {
  const float rate = -0.01f, decay = 0.9f, one = 1;
  for (int s = 0; s < steps; ++s) {
    for (auto& p : parameters)  // expect-high {{in every iteration}} [per-tensor-loop]
      cublasSaxpy(handle, p.n, &rate, p.g, 1, p.w, 1);
    for (size_t i = 0; i < parameters.size(); ++i)  // expect-high [per-tensor-loop]
      cublasSscal(handle, parameters[i].n, &decay, parameters[i].m, 1);
  }
}

// Each adds to the same sum, or goes on from the one before.
void accumulate(std::vector<Parameter>& parameters, float* sum, cublasHandle_t handle, int steps) {
  const float one = 1;
  for (int s = 0; s < steps; ++s) {
    for (auto& p : parameters) cublasSaxpy(handle, p.n, &one, p.g, 1, sum, 1);
    for (size_t i = 1; i < parameters.size(); ++i)
      cublasSaxpy(handle, parameters[i].n, &one, parameters[i - 1].w, 1, parameters[i].w, 1);
  }
}

// One vector, scaled again and again.
void power(float* x, int n, cublasHandle_t handle, int steps) {
  const float half = 0.5f;
  for (int s = 0; s < steps; ++s) cublasSscal(handle, n, &half, x, 1);
}
