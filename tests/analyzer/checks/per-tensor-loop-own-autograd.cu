// A program's own autograd: its Function<X>::apply(...) is not that of LibTorch, and forward() gets what apply() is given.
#include <cuda_runtime.h>

#include <memory>
#include <utility>
#include <vector>

__global__ void scale(float* out, const float* in, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * by;
}
__global__ void subtract(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] -= in[i];
}

struct Node;
struct Tensor {
  std::shared_ptr<float> memory;
  int n = 0;
  std::shared_ptr<Node> made_by;
  std::shared_ptr<Tensor> gradient;
  float* data() const { return memory.get(); }
  const Tensor& grad() const { return *gradient; }
  Tensor& operator-=(const Tensor& other);
  void backward();
};
Tensor empty(int n);

struct Node {
  virtual ~Node() = default;
  virtual void run_backward(const Tensor& gradient) = 0;
  std::vector<std::shared_ptr<Node>> next;
};
template <class F>
struct Function : Node {
  template <class... A>
  static Tensor apply(A&&... a) {
    auto f = std::make_shared<F>();
    Tensor out = f->forward(std::forward<A>(a)...);
    out.made_by = f;
    return out;
  }
  void run_backward(const Tensor& gradient) override { static_cast<F*>(this)->backward(gradient); }
};
struct Scale : Function<Scale> {
  float by = 1;
  Tensor forward(const Tensor& a, float s) {
    by = s;
    Tensor out = empty(a.n);
    scale<<<a.n / 256, 256>>>(out.data(), a.data(), s, a.n);
    return out;
  }
  void backward(const Tensor& gradient) {
    Tensor out = empty(gradient.n);
    scale<<<gradient.n / 256, 256>>>(out.data(), gradient.data(), by, gradient.n);
    for (auto& node : next) node->run_backward(out);
  }
};
struct Subtract : Function<Subtract> {
  Tensor forward(Tensor& a, const Tensor& b) {
    subtract<<<a.n / 256, 256>>>(a.data(), b.data(), a.n);
    return a;
  }
  void backward(const Tensor& gradient) {
    for (auto& node : next) node->run_backward(gradient);
  }
};
Tensor operator*(const Tensor& a, float s) { return Scale::apply(a, s); }
Tensor& Tensor::operator-=(const Tensor& other) {
  Subtract::apply(*this, other);
  return *this;
}
void Tensor::backward() { made_by->run_backward(*this); }

struct Optimizer {
  virtual ~Optimizer() = default;
  void step() { do_step(); }
  virtual void do_step() = 0;
  std::vector<Tensor*> parameters;
  float rate = 0.1f;
};
struct Sgd : Optimizer {
  void do_step() override {
    for (size_t i = 0; i < parameters.size(); i++) {  // expect-high {{launches a kernel for each element}} [per-tensor-loop]
      auto& parameter = parameters[i];
      auto gradient = parameter->grad();
      *parameter -= gradient * rate;
    }
  }
};

void train(Optimizer& optimizer, Tensor& x, int steps) {
  for (int i = 0; i < steps; ++i) {
    Tensor y = x * 2.f;
    y.backward();
    optimizer.step();
  }
}
