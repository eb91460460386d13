// A prefetch thread's waits are off the critical path.
#include <cuda_runtime.h>
#include <atomic>
#include <thread>

void launch_step(float* x, cudaStream_t stream);
void launch_step(float* x, cudaStream_t stream) {
  void* arguments[] = {&x};
  cudaLaunchKernel(reinterpret_cast<const void*>(&launch_step), dim3(1), dim3(32), arguments, 0, stream);
}

std::atomic<bool> stop{false};

void prefetch(float* device, float* pinned, size_t bytes, cudaStream_t stream) {
  while (!stop) {
    cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice, stream);
    launch_step(device, stream);
    cudaStreamSynchronize(stream);
  }
}

class Loader {
 public:
  void start(float* device, cudaStream_t stream) {
    worker_ = std::thread([=, this] {
      while (!stop) {
        launch_step(device, stream);
        cudaStreamSynchronize(stream);
      }
    });
    second_ = std::thread(&Loader::run, this);
  }
  void run() {
    while (!stop) {
      launch_step(nullptr, stream_);
      cudaStreamSynchronize(stream_);
    }
  }

 private:
  std::thread worker_, second_;
  cudaStream_t stream_;
};

int main() {
  float *device = nullptr, *pinned = nullptr;
  cudaStream_t compute, copy;
  cudaStreamCreate(&compute);
  cudaStreamCreate(&copy);
  std::thread reader(prefetch, device, pinned, size_t{1} << 20, copy);
  Loader loader;
  loader.start(device, copy);
  for (int step = 0; step < 1000; ++step) launch_step(device, compute);
  cudaStreamSynchronize(compute);
  stop = true;
  reader.join();
}
