// Pageable memory of every origin, however it reached the call.
#include <cuda_runtime.h>
#include <sys/mman.h>
#include <array>
#include <cstdlib>
#include <memory>
#include <vector>

__global__ void k(float* x, int n);
const size_t kBig = size_t{1} << 24;
static float static_batch[1 << 20];

void* mallocCheck(size_t bytes) {
  void* p = malloc(bytes);
  if (!p) exit(1);
  return p;
}

void origins(float* x, int n, int steps, cudaStream_t s) {
  float* a = (float*)malloc(n * sizeof(float));
  float* b = static_cast<float*>(calloc(n, sizeof(float)));
  float* c = new float[n];
  std::vector<float> d(n);
  auto e = std::make_unique<float[]>(n);
  float* f = (float*)mmap(nullptr, kBig, PROT_READ, MAP_PRIVATE, 3, 0);
  float local[65536];
  std::array<float, 65536> g;
  float* h = (float*)mallocCheck(n * sizeof(float));
  float* i = nullptr;
  posix_memalign((void**)&i, 4096, n * sizeof(float));
  for (int step = 0; step < steps; ++step) {
    cudaMemcpyAsync(x, a, n * sizeof(float), cudaMemcpyHostToDevice, s);  // expect-high {{copies from pageable memory}} [pageable-async-copy]
    // expect-evidence@-1 [pageable-async-copy] {{malloc(n * sizeof(float))}}
    cudaMemcpyAsync(x, b, n * sizeof(float), cudaMemcpyHostToDevice, s);  // expect-high [pageable-async-copy]
    cudaMemcpyAsync(x, c + 16, n * sizeof(float), cudaMemcpyHostToDevice, s);  // expect-high [pageable-async-copy]
    cudaMemcpyAsync(x, d.data(), n * sizeof(float), cudaMemcpyHostToDevice, s);  // expect-high [pageable-async-copy]
    cudaMemcpyAsync(x, &d[0], n * sizeof(float), cudaMemcpyHostToDevice, s);  // expect-high [pageable-async-copy]
    cudaMemcpyAsync(x, d.data() + step * 4, n * sizeof(float), cudaMemcpyHostToDevice, s);  // expect-high [pageable-async-copy]
    cudaMemcpyAsync(x, e.get(), n * sizeof(float), cudaMemcpyHostToDevice, s);  // expect-high [pageable-async-copy]
    cudaMemcpyAsync(x, f, n * sizeof(float), cudaMemcpyHostToDevice, s);  // expect-high [pageable-async-copy]
    cudaMemcpyAsync(x, local, sizeof(local), cudaMemcpyHostToDevice, s);  // expect-high [pageable-async-copy]
    cudaMemcpyAsync(x, g.data(), sizeof(g), cudaMemcpyHostToDevice, s);  // expect-high [pageable-async-copy]
    cudaMemcpyAsync(x, h, n * sizeof(float), cudaMemcpyHostToDevice, s);  // expect-high [pageable-async-copy]
    cudaMemcpyAsync(x, i, n * sizeof(float), cudaMemcpyHostToDevice, s);  // expect-high [pageable-async-copy]
    cudaMemcpyAsync(x, static_batch, n * sizeof(float), cudaMemcpyHostToDevice, s);  // expect-high [pageable-async-copy]
    k<<<1, 256, 0, s>>>(x, n);
    cudaMemcpyAsync(a, x, n * sizeof(float), cudaMemcpyDeviceToHost, s);  // expect-high {{copies to pageable memory}} [pageable-async-copy]
  }
}

// Few bytes with a constant size: staged upwards; downwards the host waits all the same.
float small(float* x, int n, int steps, cudaStream_t s) {
  struct Parameters { float rate; int step; } parameters{0.1f, 0};
  float batch[1024];
  float loss = 0, total = 0;
  for (int step = 0; step < steps; ++step) {
    parameters.step = step;
    cudaMemcpyAsync(x, &parameters, sizeof(parameters), cudaMemcpyHostToDevice, s);  // expect-info {{staged}} [pageable-async-copy]
    cudaMemcpyAsync(x, &parameters.rate, sizeof(float), cudaMemcpyHostToDevice, s);  // expect-info [pageable-async-copy]
    cudaMemcpyAsync(x, batch, sizeof(batch), cudaMemcpyHostToDevice, s);  // expect-info {{4 KiB}} [pageable-async-copy]
    k<<<1, 256, 0, s>>>(x, n);
    cudaMemcpyAsync(&loss, x, sizeof(float), cudaMemcpyDeviceToHost, s);  // expect-high {{copies to pageable memory}} [pageable-async-copy]
    total += loss;
  }
  return total;
}

// Outside a hot loop nobody minds.
[[maybe_unused]] static void once(float* x, int n, cudaStream_t s) {
  std::vector<float> host(n);
  cudaMemcpyAsync(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice, s);
  k<<<1, 256, 0, s>>>(x, n);
}
