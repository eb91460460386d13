// Grow-only buffers whose test, or whose growing, is a function of its own.
#include <cuda_runtime.h>

__global__ void step(float* x);
size_t next_size();

struct Grown {
  float* memory = nullptr;
  size_t capacity = 0;
  void grow(size_t n) {
    cudaFree(memory);
    cudaMalloc(&memory, n);
    capacity = n;
  }
  void ensure(size_t n) {
    if (n > capacity) grow(n);
  }
};

struct Tested {
  float* memory = nullptr;
  size_t capacity = 0;
  bool fits(size_t n) const { return n <= capacity; }
  void ensure(size_t n) {
    if (!fits(n)) {
      cudaFree(memory);
      cudaMalloc(&memory, n);
      capacity = n;
    }
  }
};

// The test asks for something else than what the branch makes true.
struct Renewed {
  float* memory = nullptr;
  size_t capacity = 0;
  bool fits(size_t n) const { return n <= capacity; }
  void ensure(size_t n) {
    if (!fits(n)) cudaMalloc(&memory, n);
  }
};

int main() {
  Grown grown;
  Tested tested;
  Renewed renewed;
  for (int i = 0; i < 1000; ++i) {
    grown.ensure(next_size());
    tested.ensure(next_size());
    renewed.ensure(next_size());  // expect-high [alloc-in-loop]
    step<<<1, 256>>>(grown.memory);
    step<<<1, 256>>>(tested.memory);
  }
}
