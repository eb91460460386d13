// A cache that allocates where an entry is new does so once for each key.
#include <cuda_runtime.h>

#include <set>
#include <unordered_map>

__global__ void work(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;
}

std::unordered_map<size_t, float*> cache;

float* by_pair(size_t n) {
  auto added = cache.emplace(n, nullptr);
  if (added.second) cudaMalloc(&added.first->second, n * 4);
  return added.first->second;
}

float* by_binding(size_t n) {
  auto [entry, fresh] = cache.try_emplace(n, nullptr);
  if (fresh) cudaMalloc(&entry->second, n * 4);
  return entry->second;
}

int main() {
  std::set<int> visited;
  for (int i = 0; i < 1000; ++i) {
    work<<<4, 256>>>(by_pair(1000 + i % 7), 1000);
    work<<<4, 256>>>(by_binding(1000 + i % 7), 1000);
    auto node = visited.insert(i);
    if (node.second) {  // each step visits another
      float* x;
      cudaMalloc(&x, 4096);  // expect-high [alloc-in-loop]
      work<<<4, 256>>>(x, 1000);
      cudaFree(x);
    }
  }
}
