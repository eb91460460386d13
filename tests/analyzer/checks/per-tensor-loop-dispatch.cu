// Launches in lambdas that the loop makes and calls, as a macro that dispatches on the element's type does: what a lambda
// captures by reference belongs to one iteration where the loop's variable picks it.
#include <cuda_runtime.h>

#include <vector>

struct Parameter {
  void *weight, *gradient, *norm;
  int size, type;
};

template <class T>
__global__ void update(T* w, const T* g, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) w[i] -= T(0.1) * g[i];
}
template <class T>
__global__ void add(T* sum, const T* g, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = sum[i] * T(0.5) + g[i];
}

// Adds up within a block: its threads wait for each other.
template <class T>
__global__ void norm(T* out, const T* g, int n) {
  __shared__ T part[256];
  part[threadIdx.x] = 0;
  for (int i = threadIdx.x; i < n; i += 256) part[threadIdx.x] += g[i] * g[i];
  __syncthreads();
  if (threadIdx.x == 0) {
    T sum = 0;
    for (int i = 0; i < 256; ++i) sum += part[i];
    *out = sum;
  }
}

#define DISPATCH(TYPE, ...)                                                                 \
  [&] {                                                                                     \
    const int the_type = TYPE;                                                              \
    switch (the_type) {                                                                     \
      case 0: {                                                                             \
        using scalar_t = float;                                                             \
        return __VA_ARGS__();                                                               \
      }                                                                                     \
      default: {                                                                            \
        using scalar_t = double;                                                            \
        return __VA_ARGS__();                                                               \
      }                                                                                     \
    }                                                                                       \
  }()

void by_element(std::vector<Parameter>& parameters, int steps) {
  for (int step = 0; step < steps; ++step) {
    for (auto& p : parameters) {  // expect-high [per-tensor-loop]
      DISPATCH(p.type, [&] { update<scalar_t><<<4, 256>>>((scalar_t*)p.weight, (scalar_t*)p.gradient, p.size); });
    }
  }
}

void by_index(std::vector<Parameter>& parameters, int steps) {
  for (int step = 0; step < steps; ++step) {
    for (size_t i = 0; i < parameters.size(); ++i) {  // expect-high [per-tensor-loop]
      auto& p = parameters[i];
      DISPATCH(p.type, [&] { update<scalar_t><<<4, 256>>>((scalar_t*)p.weight, (scalar_t*)p.gradient, p.size); });
    }
  }
}

void by_named_lambda(std::vector<Parameter>& parameters, int steps) {
  for (int step = 0; step < steps; ++step) {
    for (auto& p : parameters) {  // expect-high [per-tensor-loop]
      const auto one = [&] { update<<<4, 256>>>((float*)p.weight, (float*)p.gradient, p.size); };
      one();
    }
  }
}

void norms(std::vector<Parameter>& parameters, int steps) {
  for (int step = 0; step < steps; ++step) {
    for (auto& p : parameters) {  // expect-high [per-tensor-loop]
      DISPATCH(p.type, [&] { norm<scalar_t><<<1, 256>>>((scalar_t*)p.norm, (scalar_t*)p.gradient, p.size); });
    }
  }
}

// All iterations go on from one array: no loop over tensors.
void into_one(std::vector<Parameter>& parameters, void* sum, int steps) {
  for (int step = 0; step < steps; ++step) {
    for (auto& p : parameters) {
      DISPATCH(p.type, [&] { add<scalar_t><<<4, 256>>>((scalar_t*)sum, (scalar_t*)p.gradient, p.size); });
    }
  }
}

int main() {
  std::vector<Parameter> parameters(100);
  void* sum;
  cudaMalloc(&sum, 1024);
  by_element(parameters, 1000);
  by_index(parameters, 1000);
  by_named_lambda(parameters, 1000);
  norms(parameters, 1000);
  into_one(parameters, sum, 1000);
}
