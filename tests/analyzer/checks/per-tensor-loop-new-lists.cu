// Each iteration makes a tensor, launches a kernel for it and adds it to a list: one launch can do that for all.
#include <cuda_runtime.h>

#include <memory>
#include <utility>
#include <vector>

__global__ void fill(float* x, float value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value;
}
__global__ void advance(float* x, const float* before, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = before[i] * 0.9f;
}
__global__ void train(float* weights, const float* gradient);

struct Tensor {
  explicit Tensor(int count) : n(count) { cudaMallocAsync(reinterpret_cast<void**>(&data), n * sizeof(float), 0); }
  ~Tensor() { cudaFreeAsync(data, 0); }
  void set(float value) { fill<<<n / 256 + 1, 256>>>(data, value, n); }
  float* data = nullptr;
  int n;
};
using List = std::vector<std::shared_ptr<Tensor>>;

List zeros(int count, int n) {
  List gradients;
  for (int i = 0; i < count; ++i) {  // expect-high [per-tensor-loop]
    auto one = std::make_shared<Tensor>(n);
    one->set(0.0f);
    gradients.push_back(one);
  }
  return gradients;
}

List filled(int count, int n) {
  List list;
  for (int i = 0; i < count; ++i) {  // expect-high [per-tensor-loop]
    auto one = std::make_shared<Tensor>(n);
    fill<<<n / 256 + 1, 256>>>(one->data, 1.0f, n);
    list.push_back(std::move(one));
  }
  return list;
}

// Each begins with what the one before has left.
List unrolled(int count, std::shared_ptr<Tensor> state) {
  List states;
  for (int i = 0; i < count; ++i) {
    auto next = std::make_shared<Tensor>(state->n);
    advance<<<state->n / 256 + 1, 256>>>(next->data, state->data, state->n);
    states.push_back(next);
    state = next;
  }
  return states;
}

// The same, with the list itself for what has been.
List unrolled_in_list(int count, std::shared_ptr<Tensor> state) {
  List states{state};
  for (int i = 0; i < count; ++i) {
    auto next = std::make_shared<Tensor>(state->n);
    advance<<<state->n / 256 + 1, 256>>>(next->data, states.back()->data, state->n);
    states.push_back(next);
  }
  return states;
}

struct Model {
  List gradients;
  void make_gradients(int count, int n) {
    gradients.clear();
    for (int i = 0; i < count; ++i) {  // expect-high [per-tensor-loop]
      auto one = std::make_shared<Tensor>(n);
      one->set(0.0f);
      gradients.push_back(one);
    }
  }
};

int main() {
  Tensor weights(4096);
  Model model;
  auto state = std::make_shared<Tensor>(4096);
  for (int step = 0; step < 1000; ++step) {
    List gradients = zeros(12, 4096), list = filled(12, 4096), states = unrolled(12, state);
    List more = unrolled_in_list(12, state);
    model.make_gradients(12, 4096);
    train<<<16, 256>>>(weights.data, gradients[1]->data);
  }
}
