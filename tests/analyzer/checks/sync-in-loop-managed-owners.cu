// Managed memory behind smart pointers, spans and classes that allocate it: the host reads it in each step, so that the
// wait is needed.
#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

__global__ void advance(unsigned char* in, unsigned char* out) { out[threadIdx.x] = in[threadIdx.x] + 1; }

struct Managed {
  void* operator new(size_t bytes) {
    void* memory;
    cudaMallocManaged(&memory, bytes);
    return memory;
  }
  void operator delete(void* memory) { cudaFree(memory); }
};
struct Particles : Managed {
  float x[1024];
};
__global__ void move(Particles* particles) { particles->x[threadIdx.x] += 1; }

float class_of_its_own(int steps) {
  Particles* particles = new Particles;
  float sum = 0;
  for (int step = 0; step < steps; ++step) {
    move<<<4, 256>>>(particles);
    cudaDeviceSynchronize();
    for (int i = 0; i < 1024; ++i) sum += particles->x[i];
  }
  return sum;
}

struct Release {
  void operator()(unsigned char* memory) const { cudaFree(memory); }
};

int owned(int steps) {
  unsigned char* raw;
  cudaMallocManaged(&raw, 1 << 20);
  std::unique_ptr<unsigned char[], Release> memory(raw);
  int sum = 0;
  for (int step = 0; step < steps; ++step) {
    advance<<<16, 256>>>(memory.get(), memory.get());
    cudaDeviceSynchronize();
    sum += memory[step % 64];
  }
  return sum;
}

int shared(int steps) {
  unsigned char* raw;
  cudaMallocManaged(&raw, 1 << 20);
  std::shared_ptr<unsigned char> memory(raw, cudaFree);
  int sum = 0;
  for (int step = 0; step < steps; ++step) {
    advance<<<16, 256>>>(memory.get(), memory.get());
    cudaDeviceSynchronize();
    sum += *memory;
  }
  return sum;
}

int viewed(int steps) {
  unsigned char *a, *b;
  cudaMallocManaged(&a, 1 << 20);
  cudaMallocManaged(&b, 1 << 20);
  std::span<unsigned char> view(b, 1 << 20);
  int sum = 0;
  for (int step = 0; step < steps; ++step) {
    advance<<<16, 256>>>(a, b);
    cudaDeviceSynchronize();
    for (const unsigned char value : view) sum += value;
  }
  return sum;
}

int written(int steps) {
  unsigned char *a, *b;
  cudaMallocManaged(&a, 1 << 20);
  cudaMallocManaged(&b, 1 << 20);
  std::span<unsigned char> view(a, 1 << 20);
  for (int step = 0; step < steps; ++step) {
    advance<<<16, 256>>>(a, b);
    cudaDeviceSynchronize();
    view[step % 64] = 1;
  }
  return b[0];
}

// To exchange two pointers is no access to the memory.
int exchanged(int steps) {
  unsigned char *a, *b;
  cudaMallocManaged(&a, 1 << 20);
  cudaMallocManaged(&b, 1 << 20);
  for (int step = 0; step < steps; ++step) {
    advance<<<16, 256>>>(a, b);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    std::swap(a, b);
  }
  return a[0];
}

int elements_exchanged(int steps) {
  unsigned char *a, *b;
  cudaMallocManaged(&a, 1 << 20);
  cudaMallocManaged(&b, 1 << 20);
  for (int step = 0; step < steps; ++step) {
    advance<<<16, 256>>>(a, b);
    cudaDeviceSynchronize();
    std::swap(a[0], a[step % 64]);
  }
  return a[0];
}

int main(int argc, char**) {
  return class_of_its_own(1000 * argc) + owned(1000 * argc) + shared(1000 * argc) + viewed(1000 * argc) +
         written(1000 * argc) + exchanged(1000 * argc) + elements_exchanged(1000 * argc);
}
