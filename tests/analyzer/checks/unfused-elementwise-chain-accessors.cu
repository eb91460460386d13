// Arrays behind methods of a class that keeps a host and a device copy: its two ways to the device copy are one array.
#include <cuda_runtime.h>
#include <memory>

#define KERNEL_LOOP(i, n) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)

class Memory {
 public:
  explicit Memory(size_t size) : size_(size) { cudaMallocHost(&host_, size); }
  const void* host() {
    to_host();
    return host_;
  }
  const void* device() {
    to_device();
    return device_;
  }
  void* mutable_device() {
    to_device();
    head_ = kDevice;
    return device_;
  }

 private:
  enum Head { kNone, kHost, kDevice, kBoth };
  void to_device() {
    switch (head_) {
      case kNone:
        cudaMalloc(&device_, size_);
        head_ = kDevice;
        break;
      case kHost:
        cudaMemcpyAsync(device_, host_, size_, cudaMemcpyHostToDevice);
        head_ = kBoth;
        break;
      default:
        break;
    }
  }
  void to_host() {
    if (head_ != kDevice) return;
    cudaMemcpyAsync(host_, device_, size_, cudaMemcpyDeviceToHost);
    head_ = kBoth;
  }
  void *host_ = nullptr, *device_ = nullptr;
  size_t size_;
  Head head_ = kNone;
};

template <typename T>
class Blob {
 public:
  explicit Blob(int count) : count_(count), data_(new Memory(count * sizeof(T))) {}
  int count() const { return count_; }
  const T* host() const { return (const T*)data_->host(); }
  const T* device() const { return (const T*)data_->device(); }
  T* mutable_device() { return static_cast<T*>(data_->mutable_device()); }

 private:
  int count_;
  std::shared_ptr<Memory> data_;
};

template <typename T>
__global__ void add_scalar_kernel(const int n, const T alpha, T* y) {
  KERNEL_LOOP(i, n) { y[i] += alpha; }
}
template <typename T>
__global__ void sqrt_kernel(const int n, const T* a, T* y) {
  KERNEL_LOOP(i, n) { y[i] = sqrt(a[i]); }
}
__global__ void sum_kernel(const int n, const float* a, float* y) {
  for (int i = 0; i < n; ++i) *y += a[i];
}
template <typename T>
void add_scalar(int n, T alpha, T* y) {
  add_scalar_kernel<T><<<(n + 511) / 512, 512>>>(n, alpha, y);
}
template <typename T>
void square_root(int n, const T* a, T* y) {
  sqrt_kernel<T><<<(n + 511) / 512, 512>>>(n, a, y);
}

struct Layer {
  Blob<float> mean{64}, variance{64};
  void forward() {
    add_scalar(variance.count(), 1e-5f, variance.mutable_device());  // expect-high {{go through the same elements of 'variance.device()'}} [unfused-elementwise-chain]
    square_root(variance.count(), variance.device(), variance.mutable_device());
  }
  // Two arrays.
  void others() {
    add_scalar(variance.count(), 1e-5f, variance.mutable_device());
    square_root(variance.count(), mean.device(), mean.mutable_device());
  }
  // Another kernel reads the array between them.
  void summed() {
    float* data = variance.mutable_device();
    add_scalar(variance.count(), 1e-5f, data);
    sum_kernel<<<1, 1>>>(variance.count(), data, mean.mutable_device());
    square_root(variance.count(), data, data);
  }
  // Copied to the host between them.
  const float* between() {
    add_scalar(variance.count(), 1e-5f, variance.mutable_device());
    const float* copy = variance.host();
    square_root(variance.count(), variance.device(), variance.mutable_device());
    return copy;
  }
};

int main() {
  Layer layer;
  for (int step = 0; step < 1000; ++step) {
    layer.forward();
    layer.others();
    layer.summed();
    layer.between();
  }
}
