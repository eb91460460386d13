// Eigen's tensors: an assignment on the GPU's device is a kernel, one on the CPU's is none.
#include <cuda_runtime.h>

#include <memory>
#include <vector>

namespace Eigen {
struct GpuDevice {
  void memcpyHostToDevice(void* to, const void* from, size_t bytes) const;
  void memcpyDeviceToHost(void* to, const void* from, size_t bytes) const;
  void synchronize() const;
};
struct ThreadPoolDevice {};
template <class Expression, class Device>
struct TensorDevice {
  template <class Other>
  TensorDevice& operator=(const Other& other);
  template <class Other>
  TensorDevice& operator-=(const Other& other);
};
struct Tensor {
  template <class Device>
  TensorDevice<Tensor, Device> device(const Device& device);
  Tensor operator*(float f) const;
  float* data();
};
}  // namespace Eigen

Eigen::GpuDevice gpu;
Eigen::ThreadPoolDevice pool;

struct Parameter {
  Eigen::Tensor value, gradient;
};

int main() {
  std::vector<Parameter*> parameters;
  Eigen::Tensor x, y, loss;
  float last = 0;
  std::unique_ptr<float[]> batch(new float[1 << 24]);
  for (int i = 0; i < 10000; ++i) {
    gpu.memcpyHostToDevice(x.data(), batch.get(), (1 << 24) * 4);  // expect-high [pageable-async-copy]
    y.device(gpu) = x * 2.0f;
    for (Parameter* p : parameters)  // expect-high [per-tensor-loop]
      p->value.device(gpu) -= p->gradient * 0.1f;
    gpu.synchronize();  // expect-high [sync-in-loop]
    y.device(gpu) = y * 2.0f;
    gpu.memcpyDeviceToHost(&last, loss.data(), 4);  // expect-high [scalar-readback]
    gpu.synchronize();
  }
  for (int i = 0; i < 10000; ++i) {
    for (Parameter* p : parameters) p->value.device(pool) -= p->gradient * 0.1f;
    y.device(pool) = x * 2.0f;
  }
}
