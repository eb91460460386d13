// Two calls of one function are one array only where the function gives the same each time.
#include <cuda_runtime.h>

struct Ring {
  float* buffers[8];
  int turn = 0;
  float* next() { return buffers[turn++ % 8]; }
  float* current() { return buffers[turn % 8]; }
};

__global__ void add_one(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;
}

__global__ void twice(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}

void other_buffers(Ring& ring, int steps) {
  for (int step = 0; step < steps; ++step) {
    add_one<<<4, 256>>>(ring.next(), 1000);
    twice<<<4, 256>>>(ring.next(), 1000);
  }
}

void one_buffer(Ring& ring, int steps) {
  for (int step = 0; step < steps; ++step) {
    add_one<<<4, 256>>>(ring.current(), 1000);  // expect-high [unfused-elementwise-chain]
    twice<<<4, 256>>>(ring.current(), 1000);
  }
}

int main() {
  Ring ring;
  other_buffers(ring, 1000);
  one_buffer(ring, 1000);
}
