// Several buffers with a stream each: the wait for the buffer that is filled next leaves the GPU the others' work.
#include <cuda_runtime.h>

#include <utility>
#include <vector>

__global__ void step(float* w, const float* x, int n);
void fill(float* to, int n, int i);
double use(const float* loss);

struct Buffer {
  float* host = nullptr;
  float* device = nullptr;
  cudaStream_t stream = nullptr;
};

class Pipe {
 public:
  explicit Pipe(int n) : buffers_(2) {
    for (auto& b : buffers_) {
      cudaHostAlloc(&b.host, n * 4, cudaHostAllocDefault);
      cudaMalloc(&b.device, n * 4);
      cudaStreamCreate(&b.stream);
    }
  }
  Buffer& acquire() {
    Buffer& b = buffers_[turn_++ % buffers_.size()];
    cudaStreamSynchronize(b.stream);
    return b;
  }
  Buffer& first() {
    Buffer& b = buffers_[0];
    cudaStreamSynchronize(b.stream);
    return b;
  }

 private:
  size_t turn_ = 0;
  std::vector<Buffer> buffers_;
};

int main() {
  const int n = 1 << 20;
  float *host[3], *device[3], *loss[3], *w;
  cudaStream_t stream[3], copies, current, next;
  cudaMalloc(&w, n * 4);
  for (int k = 0; k < 3; ++k) {
    cudaMallocHost(&host[k], n * 4);
    cudaMallocHost(&loss[k], 4);
    cudaMalloc(&device[k], n * 4);
    cudaStreamCreate(&stream[k]);
  }
  cudaStreamCreate(&copies);
  cudaStreamCreate(&current);
  cudaStreamCreate(&next);
  for (int i = 0; i < 10000; ++i) {
    const int slot = i % 3;
    cudaStreamSynchronize(stream[slot]);
    fill(host[slot], n, i);
    cudaMemcpyAsync(device[slot], host[slot], n * 4, cudaMemcpyHostToDevice, stream[slot]);
    step<<<256, 256, 0, stream[slot]>>>(w, device[slot], n);
  }
  // What was just enqueued is waited for: the other buffer buys nothing.
  for (int i = 0; i < 10000; ++i) {
    fill(host[i % 3], n, i);
    cudaMemcpyAsync(device[i % 3], host[i % 3], n * 4, cudaMemcpyHostToDevice, stream[i % 3]);
    step<<<256, 256, 0, stream[i % 3]>>>(w, device[i % 3], n);
    cudaStreamSynchronize(stream[i % 3]);  // expect-high [sync-in-loop]
  }
  // One stream for all iterations: the GPU has nothing to do while the host fills.
  for (int i = 0; i < 10000; ++i) {
    cudaStreamSynchronize(stream[0]);  // expect-high [sync-in-loop]
    fill(host[0], n, i);
    cudaMemcpyAsync(device[0], host[0], n * 4, cudaMemcpyHostToDevice, stream[0]);
    step<<<256, 256, 0, stream[0]>>>(w, device[0], n);
  }
  // All streams at once: none is left with work.
  for (int i = 0; i < 10000; ++i) {
    for (int k = 0; k < 3; ++k) step<<<256, 256, 0, stream[k]>>>(w, device[k], n);  // expect-medium [per-tensor-loop]
    for (int k = 0; k < 3; ++k) cudaStreamSynchronize(stream[k]);  // expect-high [sync-in-loop]
  }
  // The previous iteration's result, one step late.
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    const int now = i % 2, last = 1 - now;
    step<<<256, 256, 0, stream[now]>>>(w, device[now], n);
    cudaMemcpyAsync(loss[now], w, 4, cudaMemcpyDeviceToHost, stream[now]);
    if (i > 0) {
      cudaStreamSynchronize(stream[last]);
      sum += use(loss[last]);
    }
  }
  // Two handles that are swapped.
  for (int i = 0; i < 10000; ++i) {
    cudaStreamSynchronize(current);
    fill(host[0], n, i);
    cudaMemcpyAsync(device[0], host[0], n * 4, cudaMemcpyHostToDevice, current);
    step<<<256, 256, 0, current>>>(w, device[0], n);
    std::swap(current, next);
    std::swap(host[0], host[1]);
    std::swap(device[0], device[1]);
  }
  // Copies have a stream of their own, and the GPU computes on what came before.
  for (int i = 0; i < 10000; ++i) {
    step<<<256, 256, 0, current>>>(w, device[0], n);
    fill(host[1], n, i);
    cudaMemcpyAsync(device[1], host[1], n * 4, cudaMemcpyHostToDevice, copies);
    cudaStreamSynchronize(copies);
    std::swap(device[0], device[1]);
  }
  Pipe pipe(n);
  for (int i = 0; i < 10000; ++i) {
    Buffer& b = pipe.acquire();
    fill(b.host, n, i);
    cudaMemcpyAsync(b.device, b.host, n * 4, cudaMemcpyHostToDevice, b.stream);
    step<<<256, 256, 0, b.stream>>>(w, b.device, n);
  }
  for (int i = 0; i < 10000; ++i) {
    Buffer& b = pipe.first();  // expect-high [sync-in-loop]
    fill(b.host, n, i);
    cudaMemcpyAsync(b.device, b.host, n * 4, cudaMemcpyHostToDevice, b.stream);
    step<<<256, 256, 0, b.stream>>>(w, b.device, n);
  }
}
