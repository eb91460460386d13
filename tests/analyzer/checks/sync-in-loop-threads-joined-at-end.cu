// Threads that nobody joins by name: a jthread's destructor waits, and so does get() of a packaged task's future.
#include <cuda_runtime.h>

#include <future>
#include <thread>
#include <vector>

__global__ void advance(float* x) { x[threadIdx.x] *= .5f; }

void of_one(float* x) {
  advance<<<1, 256>>>(x);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
}
void of_each(float* x) {
  advance<<<1, 256>>>(x);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
}
void of_task(float* x) {
  advance<<<1, 256>>>(x);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
}

void detached(float* x) {
  advance<<<1, 256>>>(x);
  cudaDeviceSynchronize();
}

int main(int argc, char**) {
  float* x;
  cudaMalloc(&x, 4096);
  for (int step = 0; step < 1000 * argc; ++step) {
    std::jthread worker(of_one, x);
  }
  for (int step = 0; step < 1000 * argc; ++step) {
    std::vector<std::jthread> workers;
    for (int i = 0; i < 4; ++i) workers.emplace_back(of_each, x);
  }
  for (int step = 0; step < 1000 * argc; ++step) {
    std::jthread worker(detached, x);
    worker.detach();
  }
  for (int step = 0; step < 1000 * argc; ++step) {
    std::packaged_task<void(float*)> task(of_task);
    std::future<void> done = task.get_future();
    std::thread worker(std::move(task), x);
    done.get();
    worker.join();
  }
}
