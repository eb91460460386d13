// Classes of the program's own with the names of LibTorch's: they are none of LibTorch's, whatever they ask.
#include <cuda_runtime.h>

#include <vector>

namespace mine {

enum class DeviceType { CPU, CUDA };
struct Device {
  DeviceType type;
  bool is_cpu() const { return type == DeviceType::CPU; }
};

class Tensor {
 public:
  Tensor(Device device, int n) : device_(device), n_(n) {}
  Device device() const { return device_; }
  Tensor to(Device device) const {
    Tensor made(device, n_);
    if (device.type == DeviceType::CPU) {
      made.host_.resize(n_);
      cudaMemcpy(made.host_.data(), data_, n_ * 4, cudaMemcpyDeviceToHost);
    }
    return made;
  }
  float* data() { return data_; }
  std::vector<float> host_;

 private:
  Device device_;
  int n_;
  float* data_ = nullptr;
};

}  // namespace mine

__global__ void step(float* x, int n);

int main() {
  mine::Tensor x({mine::DeviceType::CUDA}, 1000);
  float sum = 0;
  for (int i = 0; i < 1000; ++i) {
    step<<<4, 256>>>(x.data(), 1000);
    mine::Tensor host = x.to({mine::DeviceType::CPU});  // expect-high [blocking-copy-in-loop]
    sum += host.host_[0];
  }
  return sum > 0;
}
