// A container whose allocator takes pinned memory allocates where it gets its elements, and frees them at the end of
// its life; the library's code that calls the allocator is not read.
#include <cuda_runtime.h>

#include <new>
#include <vector>

template <typename T>
struct PageLocked {
  typedef T value_type;
  PageLocked() {}
  template <class U>
  PageLocked(const PageLocked<U>&) {}
  T* allocate(std::size_t count) {
    T* memory = nullptr;
    if (cudaMallocHost((void**)&memory, count * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
    return memory;
  }
  void deallocate(T* memory, std::size_t) { cudaFreeHost(memory); }
  bool operator==(const PageLocked&) const { return true; }
  bool operator!=(const PageLocked&) const { return false; }
};
// Takes memory from the heap.
template <typename T>
struct Counting {
  typedef T value_type;
  Counting() {}
  template <class U>
  Counting(const Counting<U>&) {}
  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t) { ::operator delete(memory); }
  bool operator==(const Counting&) const { return true; }
  bool operator!=(const Counting&) const { return false; }
};
typedef std::vector<float, PageLocked<float>> Batch;

__global__ void step(float* weights, const float* batch, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) weights[i] += batch[n - i - 1];
}
void read_batch(float* batch, int n);

struct Trainer {
  Batch reused;
  void gather(int n) {
    reused.resize(n);  // the room of the last step
    read_batch(reused.data(), n);
  }
};

int main() {
  const int n = 1 << 20;
  float *weights, *batch;
  cudaMalloc(&weights, sizeof(float) * n);
  cudaMalloc(&batch, sizeof(float) * n);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  Batch kept(n);
  Trainer trainer;
  for (int i = 0; i < 1000; ++i) {
    Batch fresh(n);  // expect-high [alloc-in-loop]
    read_batch(fresh.data(), n);
    cudaMemcpyAsync(batch, fresh.data(), sizeof(float) * n, cudaMemcpyHostToDevice, stream);
    step<<<n / 256, 256, 0, stream>>>(weights, batch, n);
  }
  for (int i = 0; i < 1000; ++i) {
    Batch filled;       // expect-high [alloc-in-loop]
    filled.reserve(n);  // expect-high [alloc-in-loop]
    for (int k = 0; k < n; ++k) filled.push_back(k);
    cudaMemcpyAsync(batch, filled.data(), sizeof(float) * n, cudaMemcpyHostToDevice, stream);
    step<<<n / 256, 256, 0, stream>>>(weights, batch, n);
  }
  for (int i = 0; i < 1000; ++i) {
    kept.resize(n);
    trainer.gather(n);
    std::vector<float, Counting<float>> counted(n);
    Batch none;
    Batch moved(std::move(trainer.reused));
    trainer.reused = std::move(moved);
    cudaMemcpyAsync(batch, kept.data(), sizeof(float) * n, cudaMemcpyHostToDevice, stream);
    step<<<n / 256, 256, 0, stream>>>(weights, batch, n);
  }
}
