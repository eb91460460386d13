// Mirrored memory behind two flags that the user of the class turns, and behind a level of access that is handed on.
#include <cuda_runtime.h>

#include <memory>
#include <vector>

__global__ void step(float* w, int n);

class Handler {
 public:
  void ensure_device(const float* host, size_t n) {
    if (!device_fresh_) to_device(host, n);
  }
  void ensure_host(float* host, size_t n) {
    if (!host_fresh_) to_host(host, n);
  }
  void host_is_stale() { host_fresh_ = false; }
  void device_is_stale() { device_fresh_ = false; }
  float* device() { return device_; }

 private:
  void to_device(const float* host, size_t n) {
    cudaMemcpy(device_, host, n * sizeof(float), cudaMemcpyHostToDevice);
    device_fresh_ = true;
  }
  void to_host(float* host, size_t n) {
    cudaMemcpy(host, device_, n * sizeof(float), cudaMemcpyDeviceToHost);
    host_fresh_ = true;
  }
  float* device_ = nullptr;
  bool host_fresh_ = true, device_fresh_ = false;
};

void pairs(Handler& a, Handler& b, float* x, float* y, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    a.ensure_device(x, n);
    step<<<1, 256>>>(a.device(), n);
    a.host_is_stale();
    b.ensure_device(y, n);
    step<<<1, 256>>>(b.device(), n);
    a.ensure_host(x, n);  // expect-high {{'Handler::host_is_stale' on line 38}} [blocking-copy-in-loop]
    b.ensure_host(y, n);
  }
}

enum class Access { kNone, kRead, kWrite };

class VectorImpl {
 public:
  std::vector<float>& host() {
    sync_host(Access::kNone);
    return host_;
  }
  const std::vector<float>& const_host() {
    sync_host(Access::kRead);
    return host_;
  }
  float* device() {
    sync_device(Access::kWrite);
    return device_;
  }
  const float* const_device() {
    sync_device(Access::kRead);
    return device_;
  }

 private:
  bool host_can(Access access) const { return access_ <= access; }
  bool host_can_read() const { return host_can(Access::kRead); }
  bool device_can(Access access) const { return access_ >= access; }
  void sync_host(Access access) {
    if (host_can(access)) return;
    if (host_can_read()) {
      access_ = access;
      return;
    }
    access_ = access;
    cudaMemcpy(host_.data(), device_, host_.size() * sizeof(float), cudaMemcpyDeviceToHost);
  }
  void sync_device(Access access) {
    if (device_can(access)) return;
    if (device_can(Access::kRead)) {
      access_ = access;
      return;
    }
    cudaMemcpy(device_, host_.data(), host_.size() * sizeof(float), cudaMemcpyHostToDevice);
    access_ = access;
  }
  std::vector<float> host_;
  float* device_ = nullptr;
  Access access_ = Access::kNone;
};

class Vector {
 public:
  std::vector<float>& host() { return impl_->host(); }
  const std::vector<float>& const_host() const { return impl_->const_host(); }
  float* device() { return impl_->device(); }
  const float* const_device() const { return impl_->const_device(); }

 private:
  std::unique_ptr<VectorImpl> impl_;
};

struct Booster {
  Vector gradients, labels, tree;
  void gradient(int n) { step<<<1, 256>>>(gradients.device(), n); }
  float sum() const {
    float total = 0;
    // expect-high@+1 {{'Vector::device'}} [blocking-copy-in-loop]
    for (float g : gradients.const_host()) total += g;
    for (float l : labels.const_host()) total += l;
    return total;
  }
  void grow() { tree.host().push_back(1); }
};

float boost(Booster& b, int n, int rounds) {
  float total = 0;
  for (int i = 0; i < rounds; ++i) {
    b.gradient(n);
    total += b.sum();
    b.grow();
  }
  return total;
}

// A struct and functions, as C has it.
struct Buffer {
  float *host, *device;
  int stale;
};
void pull(Buffer* b, int n) {
  if (!b->stale) return;
  cudaMemcpy(b->host, b->device, n * sizeof(float), cudaMemcpyDeviceToHost);
  b->stale = 0;
}
void run(Buffer* b, int n) {
  step<<<1, 256>>>(b->device, n);
  b->stale = 1;
}
float use(Buffer* loss, Buffer* config, int n, int steps) {
  float total = 0;
  for (int i = 0; i < steps; ++i) {
    run(loss, n);
    pull(loss, n);  // expect-high [blocking-copy-in-loop]
    pull(config, n);
    total += loss->host[0] + config->host[0];
  }
  return total;
}

