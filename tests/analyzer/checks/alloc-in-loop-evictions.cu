// A cache that frees what lies idle when it must allocate and has too much.
#include <cuda_runtime.h>

#include <vector>

__global__ void k(float* p);

struct Cache {
  std::vector<float*> idle;
  size_t held = 0;
  void trim() {
    for (float* p : idle) cudaFree(p);
    idle.clear();
    held = 0;
  }
  float* get(size_t n) {
    if (!idle.empty()) {
      float* p = idle.back();
      idle.pop_back();
      return p;
    }
    if (held + n > 1u << 30) trim();
    float* p;
    cudaMalloc(&p, n);
    held += n;
    return p;
  }
};

// No cache: each step frees and allocates.
struct Scratch {
  float* memory = nullptr;
  void drop() { cudaFree(memory); }
  float* get(size_t n) {
    drop();  // expect-high [alloc-in-loop]
    cudaMalloc(&memory, n);  // expect-high [alloc-in-loop]
    return memory;
  }
};

int main() {
  Cache cache;
  Scratch scratch;
  for (int i = 0; i < 10000; ++i) {
    float* p = cache.get(1024);
    k<<<1, 256>>>(p);
    cache.idle.push_back(p);
    k<<<1, 256>>>(scratch.get(1024));
  }
}
