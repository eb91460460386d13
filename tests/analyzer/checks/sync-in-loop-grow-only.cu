// Buffers that only grow, made on the first use, wait in what seldom runs.
#include <cuda_runtime.h>
#include <vector>

__global__ void k(float* x, int n);

struct Workspace {
  float* data = nullptr;
  size_t bytes = 0;
  bool ready = false;
  void reserve(size_t wanted) {
    if (wanted <= bytes) return;
    cudaDeviceSynchronize();
    cudaFree(data);
    cudaMalloc(&data, wanted);
    bytes = wanted;
  }
  float* get(size_t wanted) {
    if (bytes < wanted) {
      cudaDeviceSynchronize();
      cudaFree(data);
      cudaMalloc(&data, wanted);
      bytes = wanted;
    }
    return data;
  }
};

class Arena {
 public:
  void enlarge(size_t wanted) {
    if (wanted <= size_) return;
    if (spare_) {
      cudaDeviceSynchronize();
      size_ = (wanted + 255) / 256 * 256;
      cudaDeviceSynchronize();
      return;
    }
    size_ = wanted;
  }

 private:
  size_t size_ = 0;
  float* spare_ = nullptr;
};

// Starts over where it has gone far enough: that is no growth.
void starts_over(float* x, int n, int steps, const std::vector<int>& sizes) {
  Arena arena;
  size_t at = 0;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    arena.enlarge(sizes[at]);
    k<<<1, 256>>>(x, n);
    ++at;
    if (at >= sizes.size()) {
      cudaDeviceSynchronize();  // expect-low [sync-in-loop]
      at = 0;
    }
    k<<<1, 256>>>(x, n);
  }
}

void run(std::vector<int>& sizes, int steps) {
  Workspace workspace;
  static float* table = NULL;
  for (int i = 0; i < steps; ++i) {
    workspace.reserve(sizes[i] * 4);
    k<<<1, 256>>>(workspace.get(sizes[i]), sizes[i]);
    if (!workspace.ready) {
      cudaDeviceSynchronize();
      workspace.ready = true;
    }
    if (i == 0) {
      cudaDeviceSynchronize();
    }
    if (table == NULL) {
      cudaMalloc(&table, 4);
      cudaDeviceSynchronize();
    }
  }
}
