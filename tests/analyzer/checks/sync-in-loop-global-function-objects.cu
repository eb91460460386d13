// A layer's function comes from a table of objects that are made before main(): each is given what it calls.
// flags: -std=c++14
#include <cuda_runtime.h>

#include <string>
#include <vector>

__global__ void relu_kernel(float* x);
typedef void (*Act)(std::vector<float*>);

void relu(std::vector<float*> x) {
  relu_kernel<<<1, 32>>>(x[0]);
  cudaDeviceSynchronize();  // expect-high {{waits for the device}} [sync-in-loop]
}
void none(std::vector<float*>) { cudaDeviceSynchronize(); }

class Function {
 public:
  Function(std::string id, Act f) : id_(std::move(id)), f_(f) {}
  void compute(std::vector<float*> x) const { f_(x); }

 private:
  const std::string id_;
  const Act f_;
};
namespace functions {
const auto kRelu = Function("relu", relu);
}

class Layer {
 public:
  explicit Layer(const Function& f) : f_(f) {}
  void forward(float* x) { f_.compute({x}); }

 private:
  const Function f_;
};

int main() {
  float* x;
  cudaMalloc(&x, 4096);
  Layer layer(functions::kRelu);
  for (int i = 0; i < 1000; ++i) layer.forward(x);
  none({});
}
