// Host memory goes through fields, parameters, constructors, returns and swaps before it is copied.
#include <cuda_runtime.h>
#include <cstdlib>
#include <memory>
#include <span>
#include <utility>
#include <vector>

__global__ void k(float* x, int n);

void* mallocCheck(size_t bytes, const char* file, int line) {
  void* p = malloc(bytes);
  if (p == nullptr) exit(EXIT_FAILURE);
  return p;
}
#define mallocCheck(size) mallocCheck(size, __FILE__, __LINE__)

struct DataLoader {
  float* inputs;
  float* targets;
  float* pinned;
  int n;
};

void loader_init(DataLoader* loader, int n) {
  loader->n = n;
  loader->inputs = (float*)mallocCheck(n * sizeof(float));
  loader->targets = loader->inputs + 1;
  cudaMallocHost((void**)&loader->pinned, n * sizeof(float));
}

void upload(float* x, const float* batch, int n, cudaStream_t s) {
  k<<<1, 256, 0, s>>>(x, n);
  cudaMemcpyAsync(x, batch, n * sizeof(float), cudaMemcpyHostToDevice, s);  // expect-high [pageable-async-copy]
  k<<<1, 256, 0, s>>>(x, n);
}

void upload_pinned(float* x, const float* batch, int n, cudaStream_t s) {
  k<<<1, 256, 0, s>>>(x, n);
  cudaMemcpyAsync(x, batch, n * sizeof(float), cudaMemcpyHostToDevice, s);
  k<<<1, 256, 0, s>>>(x, n);
}

class Trainer {
 public:
  explicit Trainer(int n) : n_(n), host_(new float[n]), staging_(n) { cudaMallocHost(&pinned_, n * sizeof(float)); }
  void step(float* x, cudaStream_t s) {
    k<<<1, 256, 0, s>>>(x, n_);
    cudaMemcpyAsync(x, host_, n_ * sizeof(float), cudaMemcpyHostToDevice, s);            // expect-high [pageable-async-copy]
    cudaMemcpyAsync(x, staging_.data(), n_ * sizeof(float), cudaMemcpyHostToDevice, s);  // expect-high [pageable-async-copy]
    cudaMemcpyAsync(x, pinned_, n_ * sizeof(float), cudaMemcpyHostToDevice, s);
  }

 private:
  int n_;
  float* host_;
  std::vector<float> staging_;
  float* pinned_ = nullptr;
};

int* make_tokens(int n) { return new int[n]; }

int main() {
  const int n = 1 << 20;
  float* x;
  cudaMalloc(&x, n * sizeof(float));
  cudaStream_t s;
  cudaStreamCreate(&s);
  DataLoader loader;
  loader_init(&loader, n);
  Trainer trainer(n);
  float* front = (float*)malloc(n * sizeof(float));
  float* back = (float*)malloc(n * sizeof(float));
  int* tokens = make_tokens(n);
  for (int step = 0; step < 1000; ++step) {
    upload(x, loader.inputs, n, s);
    upload_pinned(x, loader.pinned, n, s);
    trainer.step(x, s);
    cudaMemcpyAsync(x, loader.targets, n * 4, cudaMemcpyHostToDevice, s);  // expect-high [pageable-async-copy]
    cudaMemcpyAsync(x, front, n * 4, cudaMemcpyHostToDevice, s);           // expect-high [pageable-async-copy]
    std::swap(front, back);
    cudaMemcpyAsync(x, tokens, n * 4, cudaMemcpyHostToDevice, s);          // expect-high [pageable-async-copy]
    k<<<1, 256, 0, s>>>(x, n);
  }
}
