// Functions that nobody calls and that construct an object are set-up, whatever the constructor does.
#include <cuda_runtime.h>

#include <memory>

__global__ void fill(float* x, float value, int n) { x[threadIdx.x] = value; }
__global__ void scale(float* x, float factor, int n) { x[threadIdx.x] *= factor; }

class Buffer {
 public:
  explicit Buffer(int n) : n_(n) {
    cudaMalloc(&memory_, n * sizeof(float));
    fill<<<n / 256, 256>>>(memory_, 0, n);
    cudaDeviceSynchronize();
  }
  ~Buffer() {
    cudaDeviceSynchronize();
    cudaFree(memory_);
  }
  void scale_by(float factor) {
    scale<<<n_ / 256, 256>>>(memory_, factor, n_);
    cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
  }

 private:
  float* memory_ = nullptr;
  int n_;
};

extern "C" Buffer* make_buffer(int n) { return new Buffer(n); }
std::unique_ptr<Buffer> make_owned(int n) { return std::make_unique<Buffer>(n); }
std::shared_ptr<Buffer> make_shared(int n) { return std::make_shared<Buffer>(n); }

extern "C" void scale_buffer(Buffer* buffer, float factor) { buffer->scale_by(factor); }
