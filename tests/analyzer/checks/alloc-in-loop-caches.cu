// Memory that is kept and given out again: the allocation runs on a miss alone.
#include <cuda_runtime.h>

#include <map>
#include <vector>

__global__ void k(float* x, int n);

struct Pool {
  std::vector<float*> free_list;
  float* get(int n) {
    if (!free_list.empty()) {
      float* p = free_list.back();
      free_list.pop_back();
      return p;
    }
    float* p = nullptr;
    cudaMalloc(&p, n);
    return p;
  }
};

struct Sizes {
  std::map<int, std::vector<float*>> lists;
  float* get(int n) {
    auto& list = lists[n];
    if (list.empty()) {
      float* made = nullptr;
      cudaMalloc(&made, n);
      list.push_back(made);
    }
    float* p = list.back();
    list.pop_back();
    return p;
  }
};

float* slots[16];
float* slot(int i, int n) {
  if (float* p = slots[i]) return p;
  cudaMalloc(&slots[i], n);
  return slots[i];
}

// It gives null for nothing, and something new for everything else.
float* make(int n) {
  if (n == 0) return nullptr;
  float* p = nullptr;
  cudaMalloc(&p, n);
  return p;
}

int main() {
  Pool pool;
  Sizes sizes;
  for (int step = 0; step < 1000; ++step) {
    float* a = pool.get(1024);
    float* b = sizes.get(1024);
    float* c = slot(3, 1024);
    float* d = make(step);  // expect-high [alloc-in-loop]
    k<<<1, 256>>>(a, 256);  // expect-high [per-tensor-loop]
    k<<<1, 256>>>(b, 256);
    k<<<1, 256>>>(c, 256);
    k<<<1, 256>>>(d, 256);
    cudaFree(d);
    pool.free_list.push_back(a);
    sizes.lists[1024].push_back(b);
  }
}
