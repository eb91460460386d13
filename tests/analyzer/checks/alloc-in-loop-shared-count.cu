// Buffers that grow, or that are given up where others hold them too: a step seldom finds either.
#include <cuda_runtime.h>
#include <memory>

__global__ void step(float* x, int n);

template <class T>
struct Memory {
  void reallocate(int more) {
    if (capacity && !--*holders) {
      delete holders;
      cudaFree(data);
    }
    capacity = more;
    if (capacity) {
      holders = new int(1);
      cudaMalloc(&data, capacity * sizeof(T));
    }
  }
  void resize(int n) {
    if (n > capacity || (capacity && *holders > 1)) reallocate(n);
    count = n;
  }
  int* holders = nullptr;
  T* data = nullptr;
  int capacity = 0, count = 0;
};

void train(Memory<float>& memory, const int* sizes, int steps) {
  for (int i = 0; i < steps; ++i) {
    memory.resize(sizes[i]);
    step<<<64, 128>>>(memory.data, sizes[i]);
  }
}

// The number is of other things than sharers, and what the branch makes does not change it.
struct Queue {
  void renew(int n) {
    if (*waiting > 1) {
      cudaFree(data);
      cudaMalloc(&data, n);  // expect-high [alloc-in-loop]
    }
  }
  int* waiting = nullptr;
  float* data = nullptr;
};

void serve(Queue& queue, int steps, int n) {
  for (int i = 0; i < steps; ++i) {
    queue.renew(n);
    step<<<64, 128>>>(queue.data, n);
  }
}
