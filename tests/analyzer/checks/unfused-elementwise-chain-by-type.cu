// Two elementwise kernels, of each of which a switch over the element's type picks the instance.
// flags: -std=c++20
#include <cuda_runtime.h>

#include <utility>

enum class Type { kFloat, kDouble, kInt };

struct Array {
  void* data;
  int n;
  Type type;
};

template <typename T>
__global__ void scale_kernel(T* x, T by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}
template <typename T>
__global__ void add_kernel(T* x, const T* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += y[i];
}

template <typename F>
void dispatch(Type type, F&& f) {
  switch (type) {
    case Type::kFloat: {
      return std::forward<F>(f).template operator()<float>();
    }
    case Type::kDouble: {
      return std::forward<F>(f).template operator()<double>();
    }
    case Type::kInt: {
      return std::forward<F>(f).template operator()<int>();
    }
  }
}

void scale(const Array& x, float by) {
  int n = x.n;
  dispatch(x.type, [=]<typename T>() {
    scale_kernel<<<(n + 255) / 256, 256>>>(static_cast<T*>(x.data), static_cast<T>(by), n);
  });
}
void add(const Array& x, const Array& y) {
  int n = x.n;
  dispatch(x.type, [=]<typename T>() {
    add_kernel<<<(n + 255) / 256, 256>>>(static_cast<T*>(x.data), static_cast<const T*>(y.data), n);
  });
}

int main() {
  Array h{nullptr, 1000, Type::kFloat}, g{nullptr, 1000, Type::kFloat};
  for (int s = 0; s < 1000; ++s) {
    scale(h, 0.9f);  // expect-high [unfused-elementwise-chain]
    add(h, g);
  }
}
