// Pages that are registered by a helper, a template, a lambda, an object or in a loop are pinned as if it were done here.
#include <cuda_runtime.h>

#include <vector>

__global__ void work(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;
}

void pin(std::vector<float>& v) { cudaHostRegister(v.data(), v.size() * 4, cudaHostRegisterDefault); }

template <class Container>
void pin_any(Container& c) {
  cudaHostRegister(c.data(), c.size() * sizeof(*c.data()), 0);
}

struct Registered {
  void* memory;
  Registered(void* pages, size_t bytes) : memory(pages) { cudaHostRegister(memory, bytes, 0); }
  ~Registered() { cudaHostUnregister(memory); }
};

float* pinned(int n) {
  void* memory = nullptr;
  cudaHostAlloc(&memory, n * 4, cudaHostAllocDefault);
  return new (memory) float[n];
}

int main() {
  const int n = 1 << 20;
  float* x;
  cudaMalloc(&x, n * 4);
  cudaStream_t s;
  cudaStreamCreate(&s);
  std::vector<float> by_helper(n), by_template(n), by_lambda(n), by_object(n), never(n);
  pin(by_helper);
  pin_any(by_template);
  auto pin_it = [](auto& c) { cudaHostRegister(c.data(), c.size() * 4, 0); };
  pin_it(by_lambda);
  Registered registered(by_object.data(), n * 4);
  std::vector<std::vector<float>> buffers(4, std::vector<float>(n));
  for (auto& buffer : buffers) cudaHostRegister(buffer.data(), n * 4, 0);
  float* placed = pinned(n);
  for (int i = 0; i < 1000; ++i) {
    cudaMemcpyAsync(x, by_helper.data(), n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, by_template.data(), n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, by_lambda.data(), n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, by_object.data(), n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, buffers[i % 4].data(), n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, placed, n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, never.data(), n * 4, cudaMemcpyHostToDevice, s);  // expect-high [pageable-async-copy]
    work<<<n / 256, 256, 0, s>>>(x, n);
  }
}
