// A base's function that runs an object's own: where a call says the class of the object, it is that class's.
#include <cuda_runtime.h>

#include <memory>
#include <vector>

__global__ void relu_kernel(float* x, int n);
__global__ void norm_kernel(const float* x, float* out, int n);

class Operation {
 public:
  virtual ~Operation() = default;
  float apply(float* x, int n) {
    prepare();
    float* input = x;
    return run(input, n);
  }
  float apply(float* x) { return apply(x, 16); }

 protected:
  virtual float forward(float* x, int n) = 0;
  virtual void prepare() {}

 private:
  float run(float* x, int n) { return forward(x, n); }
};

class Relu : public Operation {
 protected:
  float forward(float* x, int n) override {
    relu_kernel<<<(n + 255) / 256, 256>>>(x, n);
    return 0;
  }
};

class Norm : public Operation {
 protected:
  float forward(float* x, int n) override {
    norm_kernel<<<(n + 255) / 256, 256>>>(x, out_, n);
    float norm;
    // expect-calls@+1 [scalar-readback] scalar-readback-known-class.cu:60, scalar-readback-known-class.cu:61, scalar-readback-known-class.cu:64, scalar-readback-known-class.cu:65
    cudaMemcpy(&norm, out_, sizeof(float), cudaMemcpyDeviceToHost);  // expect-high [scalar-readback]
    return norm;
  }

 private:
  float* out_ = nullptr;
};

struct Network {
  Relu relu;
  Norm* norm;
  std::vector<std::unique_ptr<Operation>> others;
};

float train(Network& net, float* x, int n) {
  float sum = 0;
  for (int step = 0; step < 1000; ++step) {
    sum += std::make_shared<Relu>()->apply(x, n);
    sum += std::make_shared<Norm>()->apply(x, n);  // NORM
    sum += std::make_shared<Norm>()->apply(x);  // SHORT
    sum += std::make_shared<Relu>()->apply(x);
    sum += net.relu.apply(x, n);
    sum += net.norm->apply(x, n);                              // FIELD
    for (auto& other : net.others) sum += other->apply(x, n);  // ANY
  }
  return sum;
}
