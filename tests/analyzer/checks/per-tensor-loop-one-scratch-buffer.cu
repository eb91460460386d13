// A buffer that get(bytes) grows is the same one for every launch: each waits for the launch before it, and one launch
// for all would mix what they write. A buffer per index, and one that is set anew by each call, are apart.
#include <cuda_runtime.h>
#include <vector>

__global__ void scale(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}

struct Scratch {
  float* data = nullptr;
  size_t have = 0;
  float* get(size_t bytes) {
    if (bytes > have) {
      cudaFree(data);
      cudaMalloc(&data, bytes);
      have = bytes;
    }
    return data;
  }
};

struct Slices {
  float* base = nullptr;
  float* current = nullptr;
  float* at(size_t begin) {
    current = base + begin;
    return current;
  }
};

void one_buffer(Scratch& scratch, const std::vector<int>& lengths) {
  for (int n : lengths) scale<<<(n + 255) / 256, 256>>>(scratch.get(n * 4), n);
}

void a_buffer_each(std::vector<Scratch>& scratches, int n) {
  for (Scratch& scratch : scratches)  // expect-high [per-tensor-loop]
    scale<<<(n + 255) / 256, 256>>>(scratch.get(n * 4), n);
}

void slices(Slices& slices, int parts, int n) {
  for (int part = 0; part < parts; ++part)  // expect-high [per-tensor-loop]
    scale<<<(n + 255) / 256, 256>>>(slices.at(part * n), n);
}

int main() {
  Scratch scratch;
  std::vector<Scratch> scratches(100);
  Slices all;
  cudaMalloc(&all.base, 100 * 4096 * 4);
  std::vector<int> lengths(1000, 4096);
  for (int step = 0; step < 1000; ++step) {
    one_buffer(scratch, lengths);
    a_buffer_each(scratches, 4096);
    slices(all, 100, 4096);
  }
}
