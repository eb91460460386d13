// A worker that the training loop asks and waits for is part of each step, but for what it does before and after its
// own loop. A producer that hands out buffers from a pool filled once asks for nothing, and its waits are off the path.
#include <condition_variable>
#include <cuda_runtime.h>
#include <mutex>
#include <queue>
#include <thread>

__global__ void train(float* weights, const float* batch) { weights[threadIdx.x] += batch[threadIdx.x]; }

class Queue {
 public:
  void push(float* item) {
    {
      std::lock_guard lock(mutex_);
      items_.push(item);
    }
    filled_.notify_one();
  }
  float* pop() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [&] { return !items_.empty(); });
    float* item = items_.front();
    items_.pop();
    return item;
  }

 private:
  std::queue<float*> items_;
  std::mutex mutex_;
  std::condition_variable filled_;
};

void prefetched(int n) {
  Queue full, empty;
  float *weights, *buffers[4];
  cudaMalloc(&weights, n * 4);
  for (auto& buffer : buffers) {
    cudaMalloc(&buffer, n * 4);
    empty.push(buffer);
  }
  std::thread producer([&] {
    float* host;
    cudaMallocHost(&host, n * 4);
    cudaStream_t copies;
    cudaStreamCreate(&copies);
    for (int i = 0; i < 10000; ++i) {
      float* device = empty.pop();
      for (int j = 0; j < n; ++j) host[j] = j;
      cudaMemcpyAsync(device, host, n * 4, cudaMemcpyHostToDevice, copies);
      cudaStreamSynchronize(copies);
      full.push(device);
    }
    cudaFreeHost(host);
  });
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (int i = 0; i < 10000; ++i) {
    float* device = full.pop();
    train<<<n / 256, 256, 0, stream>>>(weights, device);
    empty.push(device);
  }
  producer.join();
}

void asked(int n) {
  Queue jobs, done;
  float *weights, *batch;
  cudaMalloc(&weights, n * 4);
  cudaMalloc(&batch, n * 4);
  std::thread worker([&] {
    float* host;
    cudaMallocHost(&host, n * 4);
    cudaStream_t copies;
    cudaStreamCreate(&copies);
    for (int i = 0; i < 10000; ++i) {
      float* device = jobs.pop();
      cudaMemcpyAsync(device, host, n * 4, cudaMemcpyHostToDevice, copies);
      cudaStreamSynchronize(copies);  // expect-high [sync-in-loop]
      done.push(device);
    }
    cudaFreeHost(host);
  });
  for (int i = 0; i < 10000; ++i) {
    jobs.push(batch);
    train<<<n / 256, 256>>>(weights, done.pop());
  }
  worker.join();
}

int main() {
  prefetched(1 << 20);
  asked(1 << 20);
}
