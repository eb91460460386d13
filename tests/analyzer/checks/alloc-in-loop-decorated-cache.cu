// An allocator that keeps blocks stands before those that ask the driver; a stream is made at its first use.
#include <cuda_runtime.h>

#include <memory>
#include <set>
#include <vector>

__global__ void step(float* x, int n);

struct Allocator {
  virtual ~Allocator() = default;
  virtual void* allocate(long bytes) = 0;
  virtual void release(void* memory) = 0;
};

struct DeviceAllocator : Allocator {
  void* allocate(long bytes) override {
    void* memory = nullptr;
    cudaMalloc(&memory, bytes);
    return memory;
  }
  void release(void* memory) override { cudaFree(memory); }
};

class KeepingAllocator : public Allocator {
 public:
  explicit KeepingAllocator(std::unique_ptr<Allocator> base) : base_(std::move(base)) {}
  void* allocate(long bytes) override {
    void* block = nullptr;
    bool found = take(bytes, block);
    if (!found) found = grow(bytes, block);
    return block;
  }
  void release(void* memory) override { idle_.insert(memory); }

 private:
  bool take(long bytes, void*& block) {
    auto at = idle_.begin();
    if (at == idle_.end()) return false;
    block = *at;
    idle_.erase(at);
    return true;
  }
  bool grow(long bytes, void*& block) {
    block = base_->allocate(bytes);
    return block != nullptr;
  }
  std::unique_ptr<Allocator> base_;
  std::set<void*> idle_;
};

class Stream {
 public:
  Stream() = default;
  explicit Stream(int device) { cudaStreamCreate(&stream_); }
  Stream& operator=(Stream&& other) {
    end();
    stream_ = other.stream_;
    other.stream_ = nullptr;
    return *this;
  }
  ~Stream() { end(); }
  bool valid() const { return stream_ != nullptr; }
  cudaStream_t get() const { return stream_; }

 private:
  void end() {
    if (stream_) cudaStreamDestroy(stream_);
    stream_ = nullptr;
  }
  cudaStream_t stream_ = nullptr;
};

std::vector<Stream>& streams() {
  static std::vector<Stream> all(8);
  return all;
}

Stream& stream_of(int device) {
  auto& stream = streams()[device];
  if (!stream.valid()) stream = Stream(device);
  return stream;
}

struct Storage {
  Storage(Allocator* allocator, long bytes) : allocator_(allocator), data_(allocator->allocate(bytes)) {}
  ~Storage() { allocator_->release(data_); }
  Allocator* allocator_;
  void* data_;
};

int main() {
  KeepingAllocator allocator(std::make_unique<DeviceAllocator>());
  for (int i = 0; i < 10000; ++i) {
    Storage activations(&allocator, 4096 * 4);
    step<<<16, 256, 0, stream_of(0).get()>>>((float*)activations.data_, 4096);
  }
  DeviceAllocator plain;
  for (int i = 0; i < 10000; ++i) {
    void* scratch = plain.allocate(4096);  // expect-high [alloc-in-loop]
    step<<<16, 256, 0, stream_of(0).get()>>>((float*)scratch, 1024);
    plain.release(scratch);
  }
  for (int i = 0; i < 10000; ++i) {
    Stream own(0);  // expect-medium [alloc-in-loop]
    step<<<16, 256, 0, own.get()>>>((float*)nullptr, 1024);
  }
}
