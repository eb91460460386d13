// Operations picked from tables that a class begins with: an array of one function for each device, and a map of them.
#include <cuda_runtime.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

struct Tensor {
  float* data;
  int size;
};

__global__ void scale_elements(float* x, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= factor;
}

__global__ void multiply(float* out, const float* weights, const float* x, int n) {
  int row = blockIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += weights[row * n + k] * x[k];
  out[row] = sum;
}

using Scale = void (*)(Tensor&, float);
using Norm = float (*)(const Tensor&);

void scale_on_cpu(Tensor& x, float factor) {
  for (int i = 0; i < x.size; ++i) x.data[i] *= factor;
}

void scale_on_gpu(Tensor& x, float factor) {
  scale_elements<<<(x.size + 255) / 256, 256>>>(x.data, factor, x.size);
}

float first_on_cpu(const Tensor& x) { return x.data[0]; }

float first_on_gpu(const Tensor& x) {
  float first;
  cudaMemcpy(&first, x.data, sizeof(float), cudaMemcpyDeviceToHost);
  return first;
}

struct Operations {
  Scale scale[2] = {scale_on_cpu, scale_on_gpu};
  std::map<std::string, Norm> first = {{"cpu", first_on_cpu}, {"gpu", first_on_gpu}};
};

static Operations operations;
static int device = 1;

void scale(Tensor& x, float factor) { operations.scale[device](x, factor); }

struct Decay {
  std::vector<std::shared_ptr<Tensor>> parameters;
  void run(float factor) {
    for (size_t i = 0; i < parameters.size(); ++i) scale(*parameters[i], factor);  // expect-high {{launches a kernel for each element}} [per-tensor-loop]
  }
};

std::shared_ptr<Tensor> make(int n) {
  auto x = std::make_shared<Tensor>();
  x->size = n;
  cudaMalloc(&x->data, n * sizeof(float));
  return x;
}

int main(int argc, char** argv) {
  Decay decay;
  for (int i = 0; i < 30; ++i) decay.parameters.push_back(make(4096));
  auto out = make(64);
  const std::string name = argc > 1 ? argv[1] : "gpu";
  float sum = 0;
  for (int step = 0; step < 100000; ++step) {
    multiply<<<64, 1>>>(out->data, decay.parameters[0]->data, decay.parameters[1]->data, 64);
    sum += operations.first.at(name)(*out);  // expect-high {{fetches 4 bytes}} [scalar-readback]
    decay.run(0.99f);
  }
  return sum > 0;
}
