// A destructor that resets the state it asks frees once for each object, not once for all.
#include <cuda_runtime.h>

__global__ void scale(float* x, int n);

class Lazy {
 public:
  enum State { kNone, kDevice };
  explicit Lazy(int n) : size_(n) {}
  ~Lazy() {
    if (state_ != kNone) {
      state_ = kNone;
      cudaFree(data_);
    }
  }
  float* device() {
    switch (state_) {
      case kNone:
        cudaMalloc(&data_, size_ * sizeof(float));
        state_ = kDevice;
        break;
      case kDevice:
        break;
    }
    return data_;
  }

 private:
  State state_ = kNone;
  float* data_ = nullptr;
  int size_;
};

void made_each_step(int steps, int n) {
  for (int i = 0; i < steps; ++i) {
    Lazy rows(n);  // expect-high [alloc-in-loop]
    scale<<<64, 128>>>(rows.device(), n);
  }
}

void made_before(int steps, int n) {
  Lazy rows(n);
  for (int i = 0; i < steps; ++i) scale<<<64, 128>>>(rows.device(), n);
}

// Not at its end: the second time there is nothing to free.
class Once {
 public:
  void drop() {
    if (!dropped_) {
      dropped_ = true;
      cudaFree(data_);
    }
  }

 private:
  float* data_ = nullptr;
  bool dropped_ = false;
};

void dropped(Once& memory, float* x, int steps, int n) {
  for (int i = 0; i < steps; ++i) {
    memory.drop();
    scale<<<64, 128>>>(x, n);
  }
}

// What is freed and cleared stays cleared until somebody makes it again: that is seldom, and told nowhere.
struct Blob {
  float* data = nullptr;
  int n = 0;
  void reset(int size) {
    n = size;
    if (data != nullptr) {
      cudaFree(data);
      data = nullptr;
    }
  }
  float* device() {
    if (data == nullptr) cudaMalloc(&data, n * sizeof(float));
    return data;
  }
};

void forward(Blob& out, int size) {
  if (out.n != size) out.reset(size);
  scale<<<64, 128>>>(out.device(), size);
}

void resized(Blob& out, const int* sizes, int steps) {
  for (int i = 0; i < steps; ++i) forward(out, sizes[i]);
}
