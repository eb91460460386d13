// Objects that allocate when they are first used, and that end with the iteration.
#include <cuda_runtime.h>

__global__ void step(float* w, int n);

class Buffer {
 public:
  explicit Buffer(size_t bytes) : bytes_(bytes) {}
  ~Buffer() {
    if (memory_) cudaFree(memory_);
  }
  float* data() {
    if (!memory_) cudaMalloc(&memory_, bytes_);
    return memory_;
  }
  void zero() { cudaMemset(data(), 0, bytes_); }
  size_t size() const { return bytes_; }

 private:
  float* memory_ = nullptr;
  size_t bytes_;
};

void train(int n, int steps, bool debug) {
  Buffer kept(n * 4);
  for (int i = 0; i < steps; ++i) {
    Buffer scratch(n * 4);  // expect-high {{when it is first used}} [alloc-in-loop]
    scratch.zero();
    step<<<n, 256>>>(scratch.data(), n);
    step<<<n, 256>>>(kept.data(), n);
    Buffer seldom(n * 4);  // expect-medium [alloc-in-loop]
    if (debug) step<<<n, 256>>>(seldom.data(), n);
  }
}
