// Buffers that classes make in their constructors and free in their destructors.
#include <cuda_runtime.h>
#include <memory>
#include <utility>
#include <vector>

__global__ void k(float* x, int n);

class Buffer {
 public:
  explicit Buffer(int n) { cudaMalloc(&data_, n * sizeof(float)); }
  Buffer(const Buffer& other) {
    cudaMalloc(&data_, 4);
    cudaMemcpy(data_, other.data_, 4, cudaMemcpyDeviceToDevice);
  }
  Buffer(Buffer&& other) : data_(std::exchange(other.data_, nullptr)) {}
  Buffer& operator=(Buffer&& other) {
    std::swap(data_, other.data_);
    return *this;
  }
  ~Buffer() { cudaFree(data_); }
  float* data() { return data_; }

 private:
  float* data_;
};

void local(int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    // expect-high@+2 {{cudaMalloc}} [alloc-in-loop]
    // expect-path@+1 [alloc-in-loop] alloc-in-loop-objects.cu:29, alloc-in-loop-objects.cu:11, alloc-in-loop-objects.cu:21
    Buffer b(n);
    k<<<1, 256>>>(b.data(), n);
  }
}

struct Pair {
  explicit Pair(int n) : first(n), second(n) {}
  Buffer first, second;
};

struct Fixed {
  Buffer buffer{16};
};

void members(int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    Pair pair(n);  // expect-high [alloc-in-loop]
    Fixed fixed;   // expect-high [alloc-in-loop]
    k<<<1, 256>>>(pair.first.data(), n);
    k<<<1, 256>>>(fixed.buffer.data(), n);
  }
}

void owned(int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    auto one = std::make_unique<Buffer>(n);  // expect-high [alloc-in-loop]
    Buffer* other = new Buffer(n);           // expect-high [alloc-in-loop]
    std::vector<Buffer> many;
    many.emplace_back(n);                    // expect-high [alloc-in-loop]
    many.push_back(Buffer(n));               // expect-high [alloc-in-loop]
    k<<<1, 256>>>(one->data(), n);
    k<<<1, 256>>>(other->data(), n);
    k<<<1, 256>>>(many[0].data(), n);
    delete other;
  }
}

void by_value(Buffer b) { k<<<1, 256>>>(b.data(), 1); }

void copied(Buffer& kept, int steps) {
  for (int i = 0; i < steps; ++i) by_value(kept);  // expect-high [alloc-in-loop]
}

struct Plain {
  explicit Plain(int n) { cudaMalloc(&data, n); }
  Plain(const Plain& other) { cudaMalloc(&data, 4); }
  float* data;
};

Plain filled(int n) {
  Plain made(n);  // expect-high [alloc-in-loop]
  k<<<1, 256>>>(made.data, n);
  return made;
}

void handed_out(int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    Plain got = filled(n);
    cudaFree(got.data);  // expect-high {{cudaFree}} [alloc-in-loop]
  }
}

struct Free {
  void operator()(float* p) const { cudaFree(p); }
};
using Owner = std::unique_ptr<float, Free>;

Owner make_owner(int n) {
  float* p = nullptr;
  cudaMalloc(&p, n);
  return Owner(p);
}

void deleter(int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    Owner p = make_owner(n);  // expect-high {{cudaMalloc}} [alloc-in-loop]
    k<<<1, 256>>>(p.get(), n);
  }
}

float* raw(int n);

void deleter_of_the_library(int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    std::unique_ptr<float, decltype(&cudaFree)> p(raw(n), &cudaFree);  // expect-high {{cudaFree}} [alloc-in-loop]
    k<<<1, 256>>>(p.get(), n);
  }
}

struct Trainer {
  Buffer buffer;
  std::vector<Buffer> more;
  explicit Trainer(int n) : buffer(n) { more.emplace_back(n); }
  void step(int n) { k<<<1, 256>>>(buffer.data(), n); }
};

void made_before(int n, int steps) {
  Trainer trainer(n);
  Buffer kept(n);
  for (int i = 0; i < steps; ++i) {
    Buffer moved = std::move(kept);
    k<<<1, 256>>>(moved.data(), n);
    trainer.step(n);
    kept = std::move(moved);
  }
}
