// Buffers made through a reference to each pointer of a container: their memory is what the reference was given.
#include <cuda_runtime.h>

#include <vector>

__global__ void add_one(float* x, int n) {
  if (threadIdx.x < n) x[threadIdx.x] += 1;
}

class PinnedRing {
 public:
  explicit PinnedRing(int n) {
    for (auto& buffer : buffers_) cudaMallocHost(&buffer, n * sizeof(float));
  }
  float* at(int i) { return buffers_[i & 1]; }

 private:
  float* buffers_[2];
};

class PageableRing {
 public:
  explicit PageableRing(int n) : buffers_(2) {
    for (float*& buffer : buffers_) buffer = new float[n];
  }
  float* at(int i) { return buffers_[i & 1]; }

 private:
  std::vector<float*> buffers_;
};

class Spare {
 public:
  explicit Spare(int n) {
    float*& first = buffers_[0];
    first = new float[n];
  }
  float* get() { return buffers_[0]; }

 private:
  float* buffers_[2];
};

int main(int argc, char**) {
  const int n = argc * 100000;
  float* device;
  cudaMalloc(&device, n * sizeof(float));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  PinnedRing pinned(n);
  PageableRing pageable(n);
  Spare spare(n);
  for (int i = 0; i < 100000; ++i) {
    cudaMemcpyAsync(device, pinned.at(i), n * sizeof(float), cudaMemcpyHostToDevice, stream);
    cudaMemcpyAsync(device, pageable.at(i), n * sizeof(float), cudaMemcpyHostToDevice, stream);  // expect-high {{copies from pageable memory}} [pageable-async-copy]
    cudaMemcpyAsync(device, spare.get(), n * sizeof(float), cudaMemcpyHostToDevice, stream);  // expect-high {{copies from pageable memory}} [pageable-async-copy]
    add_one<<<1, 32, 0, stream>>>(device, n);
  }
}
