// A task that the loop starts and waits for at once runs in the loop, whichever thread runs it. One that the loop gives
// time, with work of its own in between, does not hold it up.
#include <cuda_runtime.h>
#include <condition_variable>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

__global__ void train(float* x);
__global__ void decode(float* x);

void step(float* x) {
  train<<<1, 256>>>(x);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
}
void by_async(float* x) {
  for (int i = 0; i < 1000; ++i) std::async(std::launch::async, step, x).get();
}

void task(float* x) {
  train<<<1, 256>>>(x);
  cudaStreamSynchronize(0);  // expect-high [sync-in-loop]
}
void by_future(float* x) {
  for (int i = 0; i < 1000; ++i) {
    std::future<void> done = std::async(std::launch::async, [x] { task(x); });
    done.wait();
  }
}

void replica(float* x, int device) {
  cudaSetDevice(device);
  train<<<1, 256>>>(x);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
}
void one_thread_a_device(float** x, int devices) {
  for (int i = 0; i < 1000; ++i) {
    std::vector<std::thread> threads;
    for (int d = 0; d < devices; ++d) threads.emplace_back(replica, x[d], d);
    for (auto& thread : threads) thread.join();
  }
}

// The pool that everybody writes.
class Pool {
 public:
  explicit Pool(int n) {
    for (int i = 0; i < n; ++i) {
      workers_.emplace_back([this] {
        for (;;) {
          std::function<void()> job;
          {
            std::unique_lock<std::mutex> lock(mutex_);
            ready_.wait(lock, [this] { return !jobs_.empty(); });
            job = std::move(jobs_.front());
            jobs_.pop();
          }
          job();
        }
      });
    }
  }
  template <class F, class... Args>
  std::future<void> enqueue(F&& f, Args&&... args) {
    auto job = std::make_shared<std::packaged_task<void()>>(std::bind(std::forward<F>(f), std::forward<Args>(args)...));
    std::future<void> result = job->get_future();
    {
      std::unique_lock<std::mutex> lock(mutex_);
      jobs_.emplace([job] { (*job)(); });
    }
    ready_.notify_one();
    return result;
  }

 private:
  std::vector<std::thread> workers_;
  std::queue<std::function<void()>> jobs_;
  std::mutex mutex_;
  std::condition_variable ready_;
};
void pooled(float* x) {
  train<<<1, 256>>>(x);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
}
void by_pool(Pool& pool, float* x) {
  for (int i = 0; i < 1000; ++i) {
    auto done = pool.enqueue(pooled, x);
    done.get();
  }
}

// The next batch is decoded while this one trains.
void prefetch(float* x) {
  decode<<<1, 256>>>(x);
  cudaDeviceSynchronize();
}
void ahead(float* x, float* y) {
  for (int i = 0; i < 1000; ++i) {
    auto next = std::async(std::launch::async, prefetch, y);
    train<<<1, 256>>>(x);
    next.get();
  }
}
// The same, waited for at the beginning of the next iteration.
void prefetch_late(float* x) {
  decode<<<1, 256>>>(x);
  cudaDeviceSynchronize();
}
void late(float* x, float* y) {
  auto next = std::async(std::launch::async, prefetch_late, y);
  for (int i = 0; i < 1000; ++i) {
    next.get();
    train<<<1, 256>>>(x);
    next = std::async(std::launch::async, prefetch_late, y);
  }
}
// Started in a loop over the devices and waited for after it: each runs once.
void warm(float* x, int device) {
  cudaSetDevice(device);
  train<<<1, 256>>>(x);
  cudaDeviceSynchronize();
}
void once_a_device(float** x, int devices) {
  std::vector<std::future<void>> done;
  for (int d = 0; d < devices; ++d) done.push_back(std::async(std::launch::async, warm, x[d], d));
  for (auto& one : done) one.get();
}

int main() {
  float* x[4];
  for (float*& one : x) cudaMalloc(&one, 1024);
  Pool pool(4);
  once_a_device(x, 4);
  by_async(x[0]);
  by_future(x[0]);
  one_thread_a_device(x, 4);
  by_pool(pool, x[0]);
  ahead(x[0], x[1]);
  late(x[0], x[1]);
}
