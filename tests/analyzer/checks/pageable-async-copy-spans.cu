// Spans, references, arrays of structs, containers in containers.
#include <cuda_runtime.h>
#include <cstdlib>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

__global__ void k(float* x, int n);

void upload(float* x, std::span<const float> batch, cudaStream_t s) {
  k<<<1, 256, 0, s>>>(x, 0);
  cudaMemcpyAsync(x, batch.data(), batch.size_bytes(), cudaMemcpyHostToDevice, s);  // expect-high [pageable-async-copy]
}

void upload_pinned(float* x, std::span<const float> batch, cudaStream_t s) {
  k<<<1, 256, 0, s>>>(x, 0);
  cudaMemcpyAsync(x, batch.data(), batch.size_bytes(), cudaMemcpyHostToDevice, s);
}

void upload_vector(float* x, const std::vector<float>& batch, cudaStream_t s) {
  k<<<1, 256, 0, s>>>(x, 0);
  cudaMemcpyAsync(x, batch.data(), batch.size() * 4, cudaMemcpyHostToDevice, s);  // expect-high [pageable-async-copy]
}

struct Sample {
  std::vector<float> pixels;
  std::array<int, 4> label;
};

void run(float* x, size_t n, int steps, cudaStream_t s, float* unknown) {
  std::vector<float> host(n);
  float* pinned;
  cudaMallocHost(&pinned, n * 4);
  std::vector<Sample> samples(8);
  std::vector<std::vector<float>> nested(4, std::vector<float>(n));
  auto shared = std::make_shared<std::vector<float>>(n);
  std::string text(n, 'x');
  for (int step = 0; step < steps; ++step) {
    upload(x, host, s);
    upload_pinned(x, std::span<const float>(pinned, n), s);
    upload_vector(x, host, s);
    for (auto& sample : samples) {
      cudaMemcpyAsync(x, sample.pixels.data(), n * 4, cudaMemcpyHostToDevice, s);  // expect-high [pageable-async-copy]
    }
    cudaMemcpyAsync(x, nested[step % 4].data(), n * 4, cudaMemcpyHostToDevice, s);  // expect-high [pageable-async-copy]
    cudaMemcpyAsync(x, shared->data(), n * 4, cudaMemcpyHostToDevice, s);           // expect-high [pageable-async-copy]
    cudaMemcpyAsync(x, text.data(), n, cudaMemcpyHostToDevice, s);                  // expect-high [pageable-async-copy]
    cudaMemcpyAsync(x, host.data(), n * 4, cudaMemcpyDefault, s);  // expect-high [pageable-async-copy]
    cudaMemcpyAsync(x, unknown, n * 4, cudaMemcpyHostToDevice, s);
    k<<<1, 256, 0, s>>>(x, 1);
  }
}
