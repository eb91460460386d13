// flags: -std=c++20
// One class for tensors of the host and of the GPU: who allocates and copies is behind virtual functions. One
// field holds both kinds of memory; the direction of a copy says which side is the host's.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

enum class Where { kHost, kGpu };
enum class Way { kUp, kDown, kInside };

class Backend {
 public:
  virtual ~Backend() = default;
  virtual void make(void** data, size_t size) = 0;
  virtual void make_later(void** data, size_t size, cudaStream_t stream) = 0;
  virtual void copy(void* to, const void* from, size_t size, Way way, cudaStream_t stream) = 0;
};

class HostBackend : public Backend {
 public:
  void make(void** data, size_t size) override { *data = std::malloc(size); }
  void make_later(void** data, size_t size, cudaStream_t stream) override { make(data, size); }
  void copy(void* to, const void* from, size_t size, Way way, cudaStream_t) override { std::memcpy(to, from, size); }
};

class GpuBackend : public Backend {
 public:
  void make(void** data, size_t size) override { cudaMalloc(data, size); }
  void make_later(void** data, size_t size, cudaStream_t stream) override { cudaMallocAsync(data, size, stream); }
  void copy(void* to, const void* from, size_t size, Way way, cudaStream_t stream) override {
    switch (way) {
      case Way::kUp:
        // expect-calls@+1 [pageable-async-copy] pageable-async-copy-both-sides.cu:97
        cudaMemcpyAsync(to, from, size, cudaMemcpyHostToDevice, stream);  // expect-high {{copies from}} [pageable-async-copy]
        break;
      case Way::kDown:
        // expect-calls@+1 [pageable-async-copy] pageable-async-copy-both-sides.cu:99
        cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToHost, stream);  // expect-high {{copies to}} [pageable-async-copy]
        break;
      case Way::kInside:
        cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToDevice, stream);
        break;
    }
  }
};

Backend* backend(Where where) {
  static HostBackend host;
  static GpuBackend gpu;
  if (where == Where::kHost) return &host;
  return &gpu;
}

class Buffer {
 public:
  Buffer(Where where, size_t size) : size_(size) { backend(where)->make_later(&data_, size, nullptr); }
  void* data() { return data_; }
  const void* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  void* data_ = nullptr;
  size_t size_ = 0;
};

class Tensor {
 public:
  Tensor(Where where, size_t size) : buffer_(std::make_shared<Buffer>(where, size)), where_(where) {}
  void* data() { return reinterpret_cast<uint8_t*>(buffer_->data()) + offset_; }
  size_t size() const { return buffer_->size(); }
  Tensor to(Where where) {
    if (where == where_) return *this;
    Tensor made(where, size());
    if (where == Where::kHost) {
      backend(where_)->copy(made.data(), data(), size(), Way::kDown, nullptr);
    } else {
      backend(where)->copy(made.data(), data(), size(), Way::kUp, nullptr);
    }
    return made;
  }

 private:
  std::shared_ptr<Buffer> buffer_;
  size_t offset_ = 0;
  Where where_;
};

__global__ void scale(float* x, float by) { x[threadIdx.x + blockIdx.x * blockDim.x] *= by; }

int main() {
  Tensor batch(Where::kHost, 4096);
  float sum = 0;
  for (int step = 0; step < 1000; ++step) {
    Tensor x = batch.to(Where::kGpu);
    scale<<<4, 256>>>(static_cast<float*>(x.data()), 0.5f);
    Tensor loss = x.to(Where::kHost);
    sum += static_cast<float*>(loss.data())[0];
  }
  return sum > 0;
}
