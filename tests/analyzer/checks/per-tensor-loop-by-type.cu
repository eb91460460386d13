// One kernel for each parameter, of which a switch over the element's type picks the instance.
// flags: -std=c++20
#include <cuda_runtime.h>

#include <memory>
#include <utility>
#include <vector>

enum class Type { kHalf, kFloat, kDouble, kInt, kLong, kByte };

struct Tensor {
  void* data;
  int n;
  Type type;
};

template <typename T>
__global__ void step(T* w, const T* g, float rate, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) w[i] -= static_cast<T>(rate) * g[i];
}

template <typename F>
auto dispatch(Type type, F&& f) {
  switch (type) {
    case Type::kHalf: {
      return std::forward<F>(f).template operator()<short>();
    }
    case Type::kFloat: {
      return std::forward<F>(f).template operator()<float>();
    }
    case Type::kDouble: {
      return std::forward<F>(f).template operator()<double>();
    }
    case Type::kInt: {
      return std::forward<F>(f).template operator()<int>();
    }
    case Type::kLong: {
      return std::forward<F>(f).template operator()<long>();
    }
    case Type::kByte: {
      return std::forward<F>(f).template operator()<char>();
    }
  }
}

void update(const std::shared_ptr<Tensor>& w, const std::shared_ptr<Tensor>& g, float rate) {
  int n = w->n;
  dispatch(w->type, [=]<typename T>() {
    step<<<(n + 255) / 256, 256>>>(static_cast<T*>(w->data), static_cast<const T*>(g->data), rate, n);
  });
}

void train(std::vector<std::shared_ptr<Tensor>>& params, std::vector<std::shared_ptr<Tensor>>& grads) {
  for (int s = 0; s < 1000; ++s) {
    for (size_t i = 0; i < params.size(); ++i) {  // expect-high [per-tensor-loop]
      auto& w = params[i];
      const auto& g = grads[i];
      if (!g) continue;
      update(w, g, 0.1f);
    }
  }
}

int main() {
  std::vector<std::shared_ptr<Tensor>> params, grads;
  train(params, grads);
}
