// Memory comes from a free list, and from the driver only where the list is empty, however the test is written.
#include <cuda_runtime.h>

#include <deque>
#include <vector>

__global__ void step(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;
}

float* take(std::deque<float*>& free) {
  float* memory = nullptr;
  if (!free.empty()) {
    memory = free.back();
    free.pop_back();
  } else {
    cudaMalloc(&memory, 4096);
  }
  return memory;
}

float* take_by_size(std::vector<float*>& free) {
  float* memory = nullptr;
  if (free.size() > 0) {
    memory = free.back();
    free.pop_back();
  } else {
    cudaMalloc(&memory, 4096);
  }
  return memory;
}

// The other way round: it allocates whenever there is something in the list.
float* take_wrongly(std::vector<float*>& batches) {
  float* memory = nullptr;
  if (!batches.empty()) cudaMalloc(&memory, 4096);
  return memory;
}

int main() {
  std::deque<float*> deque;
  std::vector<float*> vector, batches(8);
  for (int i = 0; i < 1000; ++i) {
    float* a = take(deque);
    float* b = take_by_size(vector);
    float* c = take_wrongly(batches);  // expect-high [alloc-in-loop]
    step<<<4, 256>>>(a, 1000);
    step<<<4, 256>>>(b, 1000);
    step<<<4, 256>>>(c, 1000);
    deque.push_back(a);
    vector.push_back(b);
  }
}
