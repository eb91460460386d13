// A vector's memory, registered: pinned.
#include <cuda_runtime.h>
#include <vector>

__global__ void k(float* x, int n);

void run(float* x, int n, int steps, cudaStream_t s) {
  std::vector<float> host(n);
  cudaHostRegister(host.data(), n * sizeof(float), cudaHostRegisterDefault);
  float local[65536];
  cudaHostRegister(local, sizeof(local), cudaHostRegisterDefault);
  for (int step = 0; step < steps; ++step) {
    cudaMemcpyAsync(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, local, sizeof(local), cudaMemcpyHostToDevice, s);
    k<<<1, 256, 0, s>>>(x, n);
  }
  cudaHostUnregister(host.data());
}

class Pool {
 public:
  explicit Pool(int n) : host_(n) { cudaHostRegister(host_.data(), n * sizeof(float), 0); }
  void send(float* x, cudaStream_t s, int steps) {
    for (int step = 0; step < steps; ++step) {
      cudaMemcpyAsync(x, host_.data(), host_.size() * sizeof(float), cudaMemcpyHostToDevice, s);
      k<<<1, 256, 0, s>>>(x, 1);
    }
  }

 private:
  std::vector<float> host_;
};
void use(float* x, cudaStream_t s) {
  Pool pool(1 << 20);
  pool.send(x, s, 10);
}

// Through a helper.
#include <cstdlib>
bool pin(void* p, size_t bytes) { return cudaHostRegister(p, bytes, cudaHostRegisterDefault) == cudaSuccess; }
void helped(float* x, int n, int steps, cudaStream_t s) {
  float* host = (float*)malloc(n * sizeof(float));
  pin(host, n * sizeof(float));
  for (int step = 0; step < steps; ++step) {
    cudaMemcpyAsync(x, host, n * sizeof(float), cudaMemcpyHostToDevice, s);
    k<<<1, 256>>>(x, n);
  }
}

// A container through a helper, and one whose class has a method named as the library's.
class Registered {
 public:
  explicit Registered(size_t n) : host_(n) { pin(host_.data(), n * sizeof(float)); }
  const float* at(int i) const { return host_.data() + i; }

 private:
  std::vector<float> host_;
};
class Ordinary {
 public:
  explicit Ordinary(size_t n) : host_(n) {}
  const float* at(int i) const { return host_.data() + i; }

 private:
  std::vector<float> host_;
};
void containers(float* x, int n, int steps, cudaStream_t s) {
  Registered pinned(1 << 20);
  Ordinary pageable(1 << 20);
  for (int step = 0; step < steps; ++step) {
    cudaMemcpyAsync(x, pinned.at(step), 1 << 18, cudaMemcpyHostToDevice, s);
    k<<<1, 256>>>(x, n);
    cudaMemcpyAsync(x, pageable.at(step), 1 << 18, cudaMemcpyHostToDevice, s);  // expect-high [pageable-async-copy]
    k<<<1, 256>>>(x, n);
  }
}
