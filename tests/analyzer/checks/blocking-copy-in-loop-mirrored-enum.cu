// Memory mirrored on host and device behind an enumeration: an access copies where the loop has written the other side.
#include <cuda_runtime.h>

__global__ void step(float* w, const float* x, int n);
__global__ void look(const float* w, int n);

class Mirrored {
 public:
  explicit Mirrored(size_t bytes) : bytes_(bytes) {}
  const void* host() {
    to_host();
    return host_;
  }
  const void* device() {
    to_device();
    return device_;
  }
  void* host_to_write() {
    to_host();
    newest_ = kHost;
    return host_;
  }
  void* device_to_write() {
    to_device();
    newest_ = kDevice;
    return device_;
  }

 private:
  enum Newest { kNothing, kHost, kDevice, kBoth };
  void to_host() {
    switch (newest_) {
      case kNothing:
        cudaMallocHost(&host_, bytes_);
        newest_ = kHost;
        break;
      case kDevice:
        if (host_ == nullptr) cudaMallocHost(&host_, bytes_);
        cudaMemcpy(host_, device_, bytes_, cudaMemcpyDeviceToHost);
        newest_ = kBoth;
        break;
      case kHost:
      case kBoth:
        break;
    }
  }
  void to_device() {
    switch (newest_) {
      case kNothing:
        cudaMalloc(&device_, bytes_);
        newest_ = kDevice;
        break;
      case kHost:
        if (device_ == nullptr) cudaMalloc(&device_, bytes_);
        cudaMemcpy(device_, host_, bytes_, cudaMemcpyHostToDevice);
        newest_ = kBoth;
        break;
      case kDevice:
      case kBoth:
        break;
    }
  }
  void *host_ = nullptr, *device_ = nullptr;
  size_t bytes_;
  Newest newest_ = kNothing;
};

// A typed view, as libraries give one.
template <class T>
class Array {
 public:
  explicit Array(size_t n) : memory_(new Mirrored(n * sizeof(T))), n_(n) {}
  ~Array() { delete memory_; }
  const T* host() const { return static_cast<const T*>(memory_->host()); }
  const T* device() const { return static_cast<const T*>(memory_->device()); }
  T* host_to_write() { return static_cast<T*>(memory_->host_to_write()); }
  T* device_to_write() { return static_cast<T*>(memory_->device_to_write()); }

 private:
  Mirrored* memory_;
  size_t n_;
};

// Written on the device and read on the host in each step: two real copies a step, one each way for `x`.
float train(int n, int steps) {
  Array<float> w(n), x(n);
  float sum = 0;
  for (int i = 0; i < steps; ++i) {
    x.host_to_write()[0] = i;
    // expect-high@+1 {{copies the data to the GPU}} [blocking-copy-in-loop]
    step<<<1, 256>>>(w.device_to_write(), x.device(), n);
    sum += w.host()[0];  // expect-high {{copies the data from the GPU}} [blocking-copy-in-loop]
  }
  return sum;
}

// Written once before the loop: the first access copies, the others find both sides alike.
float read_only(Array<float>& w, int n, int steps) {
  float sum = 0;
  w.device_to_write();
  for (int i = 0; i < steps; ++i) {
    look<<<1, 256>>>(w.device(), n);
    sum += w.host()[i];
  }
  return sum;
}

// Of the host alone.
float host_only(Array<float>& w, Array<float>& losses, int n, int steps) {
  float sum = 0;
  for (int i = 0; i < steps; ++i) {
    step<<<1, 256>>>(w.device_to_write(), w.device(), n);
    losses.host_to_write()[i] = i;
    sum += losses.host()[i];
  }
  return sum;
}

// The loop writes one object and reads another.
struct Model {
  Array<float> weights{16}, table{16};
  void forward(int n) { step<<<1, 256>>>(weights.device_to_write(), weights.device(), n); }
  float peek() { return table.host()[0]; }
  // expect-path@+2 [blocking-copy-in-loop] blocking-copy-in-loop-mirrored-enum.cu:130, blocking-copy-in-loop-mirrored-enum.cu:122, blocking-copy-in-loop-mirrored-enum.cu:133, blocking-copy-in-loop-mirrored-enum.cu:74, blocking-copy-in-loop-mirrored-enum.cu:11, blocking-copy-in-loop-mirrored-enum.cu:39
  // expect-low@+1 [blocking-copy-in-loop]
  float loss() { return weights.host()[0]; }
};
float two_objects(Model& model, int n, int steps) {
  float sum = 0;
  for (int i = 0; i < steps; ++i) {
    model.forward(n);
    sum += model.peek();
    if (i % 100 == 0) sum += model.loss();
  }
  return sum;
}

// New in each iteration: nothing of the last one is in it.
void fresh(int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    Array<float> scratch(n);
    float* p = scratch.device_to_write();
    step<<<1, 256>>>(p, p, n);
  }
}

// Handed on by a reference through which it may be written: it stays the same object, under any name.
void advance(Array<float>& w, Array<float>& loss, int n) {
  step<<<1, 256>>>(w.device_to_write(), w.device(), n);
  step<<<1, 256>>>(loss.device_to_write(), w.device(), n);
}
// expect-high@+1 {{copies the data from the GPU}} [blocking-copy-in-loop]
float look_at(const Array<float>& w) { return w.host()[0]; }
float handed_on(Array<float>& w, int n, int steps) {
  Array<float> loss(1);
  float sum = 0;
  for (int i = 0; i < steps; ++i) {
    sum += look_at(w);
    advance(w, loss, n);
    sum += loss.host()[0];  // expect-high {{copies the data from the GPU}} [blocking-copy-in-loop]
  }
  return sum;
}
