// Adversarial provenance: where a false "pageable" would come from.
#include <cuda_runtime.h>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

__global__ void k(float* x, int n);

// A pool: its memory comes from one pinned slab.
class PinnedPool {
 public:
  explicit PinnedPool(size_t bytes) { cudaHostAlloc((void**)&base_, bytes, cudaHostAllocDefault); }
  void* take(size_t bytes) {
    void* p = base_ + used_;
    used_ += bytes;
    return p;
  }

 private:
  char* base_ = nullptr;
  size_t used_ = 0;
};

// unique_ptr with a deleter over pinned memory.
struct FreeHost {
  void operator()(float* p) const { cudaFreeHost(p); }
};
using PinnedPtr = std::unique_ptr<float[], FreeHost>;
PinnedPtr make_pinned(size_t n) {
  float* p = nullptr;
  cudaMallocHost(&p, n * sizeof(float));
  return PinnedPtr(p);
}

// One struct for both: which memory it has is a flag.
struct Tensor {
  float* data;
  bool on_host;
};
void allocate(Tensor& t, size_t n, bool pinned) {
  if (pinned) cudaMallocHost((void**)&t.data, n * sizeof(float));
  else t.data = (float*)malloc(n * sizeof(float));
}

// An allocator with a base that nobody shows.
template <typename T>
struct ArenaAllocator {
  using value_type = T;
  T* allocate(size_t n);
  void deallocate(T*, size_t);
};

struct PinnedBuffer {
  float* p = nullptr;
  explicit PinnedBuffer(size_t n) { cudaMallocHost(&p, n * sizeof(float)); }
  operator float*() { return p; }
  float& operator[](size_t i) { return p[i]; }
};

extern float* g_batch;
float* g_pinned_batch;
void init_globals(size_t n) { cudaMallocHost(&g_pinned_batch, n * sizeof(float)); }

void run(float* x, int n, int steps, cudaStream_t s) {
  PinnedPool pool(1 << 20);
  float* from_pool = static_cast<float*>(pool.take(n * sizeof(float)));
  PinnedPtr owned = make_pinned(n);
  Tensor t;
  allocate(t, n, true);
  std::vector<float, ArenaAllocator<float>> arena(n);
  PinnedBuffer buffer(n);
  std::vector<float*> slots;
  for (int i = 0; i < 4; ++i) {
    float* p;
    cudaMallocHost(&p, n * sizeof(float));
    slots.push_back(p);
  }
  std::map<std::string, float*> named;
  cudaMallocHost(&named["x"], n * sizeof(float));
  init_globals(n);
  float* pinned_pair[2];
  for (auto& p : pinned_pair) cudaMallocHost(&p, n * sizeof(float));
  for (int step = 0; step < steps; ++step) {
    cudaMemcpyAsync(x, from_pool, n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, owned.get(), n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, t.data, n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, arena.data(), n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, buffer, n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, buffer.p, n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, &buffer[0], n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, slots[step % 4], n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, named["x"], n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, g_batch, n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, g_pinned_batch, n * 4, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(x, pinned_pair[step % 2], n * 4, cudaMemcpyHostToDevice, s);
    k<<<1, 256, 0, s>>>(x, n);
  }
}
