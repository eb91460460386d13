// Memory that grows: what it holds is moved to a larger place, which the loop that asks for more does now and then.
#include <cuda_runtime.h>
#include <vector>

__global__ void step(float* x, int n);

struct Arena {
  void reserve(size_t more) {
    std::vector<char> kept(size);
    cudaMemcpy(kept.data(), data, size, cudaMemcpyDeviceToHost);  // expect-low [blocking-copy-in-loop]
    cudaFree(data);
    cudaMalloc(&data, more);  // expect-low [alloc-in-loop]
    cudaMemcpy(data, kept.data(), size, cudaMemcpyHostToDevice);  // expect-low [blocking-copy-in-loop]
    size = more;
  }
  char* data = nullptr;
  size_t size = 0;
};

struct Vector {
  void grow(size_t more) {
    float* larger = nullptr;
    cudaMalloc(&larger, more);  // expect-low [alloc-in-loop]
    cudaMemcpy(larger, data, size, cudaMemcpyDeviceToDevice);
    cudaFree(data);  // expect-low [alloc-in-loop]
    data = larger;
    size = more;
  }
  float* data = nullptr;
  size_t size = 0;
};

void train(Arena& arena, Vector& vector, const size_t* sizes, int steps, int n) {
  for (int i = 0; i < steps; ++i) {
    if (sizes[i] > arena.size) arena.reserve(sizes[i] + 1024);
    if (sizes[i] > vector.size) vector.grow(sizes[i] + 1024);
    step<<<64, 128>>>(vector.data, n);
  }
}

// Made anew in each step, and nothing that was in it is kept.
struct Scratch {
  void renew(const float* host, size_t bytes) {
    cudaFree(data);
    cudaMalloc(&data, bytes);  // expect-high [alloc-in-loop]
    cudaMemcpy(data, host, bytes, cudaMemcpyHostToDevice);  // expect-high [blocking-copy-in-loop]
  }
  float* data = nullptr;
};

void renewed(Scratch& scratch, const float* host, int steps, int n) {
  for (int i = 0; i < steps; ++i) {
    scratch.renew(host, n * sizeof(float));
    step<<<64, 128>>>(scratch.data, n);
  }
}

// Taken and given back in each step, with a copy from what is given back.
void taken(float* out, int steps, int n) {
  for (int i = 0; i < steps; ++i) {
    float* part = nullptr;
    cudaMalloc(&part, n);  // expect-high [alloc-in-loop]
    step<<<64, 128>>>(part, n);
    cudaMemcpy(out, part, n, cudaMemcpyDeviceToDevice);
    cudaFree(part);
  }
}

// The caller keeps the size: it grows for the first products.
void product(float* x, size_t* size, void** buffer, int turn, int n) {
  const size_t need = n * sizeof(float) * (turn % 3);
  if (need > *size) {
    cudaFree(*buffer);
    cudaMalloc(buffer, need);
    *size = need;
  }
  step<<<64, 128>>>(x, n);
}

void products(float* x, int steps, int n) {
  size_t size = 0;
  void* buffer = nullptr;
  for (int i = 0; i < steps; ++i) product(x, &size, &buffer, i, n);
}

// One buffer a device, grown by the need of each step.
void* scratch_of[16];
unsigned int bytes_of[16];
void on_device(float* x, const int& n) {
  int device;
  cudaGetDevice(&device);
  const int size = n;
  if (bytes_of[device] < sizeof(float) * size) {
    if (scratch_of[device]) cudaFree(scratch_of[device]);
    cudaMalloc(&scratch_of[device], sizeof(float) * size);
    bytes_of[device] = sizeof(float) * size;
  }
  step<<<64, 128>>>(x, n);
}

struct Lane {
  size_t bytes[4];
  void* scratch[4];
  void run(int slot, float* x, size_t need, int n) {
    if (bytes[slot] < need) {
      cudaFree(scratch[slot]);
      cudaMalloc(&scratch[slot], need);
      bytes[slot] = need;
    }
    if (bytes[0] < need) {
      cudaFree(scratch[0]);
      cudaMalloc(&scratch[0], need);  // expect-high [alloc-in-loop]
      bytes[1] = need;
    }
    step<<<64, 128>>>(x, n);
  }
};

void lanes(Lane& lane, float* x, int steps, int n) {
  for (int i = 0; i < steps; ++i) {
    on_device(x, n);
    lane.run(i % 4, x, n * sizeof(float), n);
  }
}
