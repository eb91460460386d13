// An operator of a class of the program's own launches for each element, as a method would.
#include <cuda_runtime.h>

#include <memory>
#include <vector>

__global__ void set(float* p, float v, int n);
__global__ void add(float* p, float v, int n);
__global__ void step(float* p);

class Array {
 public:
  Array& operator=(float v) {
    set<<<n_ / 256, 256>>>(p_, v, n_);
    return *this;
  }
  template <typename Number>
  Array& operator+=(Number v) {
    add<<<n_ / 256, 256>>>(p_, static_cast<float>(v), n_);
    return *this;
  }

 private:
  float* p_;
  int n_;
};

class Arrays {
 public:
  template <typename Number>
  Arrays& operator=(Number v) {
    for (size_t i = 0; i < arrays_.size(); ++i) {  // expect-high {{launches a kernel for each element}} [per-tensor-loop]
      *arrays_[i] = v;
    }
    return *this;
  }
  void add(float v) {
    for (auto& array : arrays_) *array += v;  // expect-high [per-tensor-loop]
  }

 private:
  std::vector<std::shared_ptr<Array>> arrays_;
};

void train(Arrays& gradients, Array& loss, float* x, int steps) {
  for (int i = 0; i < steps; ++i) {
    step<<<1, 1>>>(x);
    loss = 0;
    gradients = 0;
    gradients.add(1);
  }
}
