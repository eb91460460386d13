// The loop hands a worker its batch and waits until that is done: the worker's waits are the loop's. A loader that runs
// ahead is waited for, too, but for what it did while the loop computed.
#include <cuda_runtime.h>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <semaphore>
#include <thread>

__global__ void train(float* x);
__global__ void augment(float* x);

std::mutex mutex;
std::condition_variable go, done;
std::queue<float*> work;
bool finished = false;

void worker() {
  for (;;) {
    float* x;
    {
      std::unique_lock<std::mutex> lock(mutex);
      go.wait(lock, [] { return !work.empty(); });
      x = work.front();
      work.pop();
    }
    augment<<<1, 256>>>(x);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    {
      std::lock_guard<std::mutex> lock(mutex);
      finished = true;
    }
    done.notify_one();
  }
}

std::counting_semaphore<8> asked(0), answered(0);
float* shared_buffer;
void server() {
  while (true) {
    asked.acquire();
    augment<<<1, 256>>>(shared_buffer);
    cudaStreamSynchronize(0);  // expect-high [sync-in-loop]
    answered.release();
  }
}

// It launches nothing: the loop does, and waits for what this thread fetches.
std::counting_semaphore<8> wanted(0), fetched(0);
float host_value;
void reader() {
  while (true) {
    wanted.acquire();
    cudaMemcpy(&host_value, shared_buffer, sizeof host_value, cudaMemcpyDeviceToHost);  // expect-high [scalar-readback]
    fetched.release();
  }
}

// A bounded queue between a loader and the loop.
class Batches {
 public:
  void put(float* x) {
    std::unique_lock<std::mutex> lock(mutex_);
    not_full_.wait(lock, [this] { return queue_.size() < 4; });
    queue_.push(x);
    not_empty_.notify_one();
  }
  float* take() {
    std::unique_lock<std::mutex> lock(mutex_);
    not_empty_.wait(lock, [this] { return !queue_.empty(); });
    float* x = queue_.front();
    queue_.pop();
    not_full_.notify_one();
    return x;
  }

 private:
  std::mutex mutex_;
  std::condition_variable not_full_, not_empty_;
  std::queue<float*> queue_;
};
void load(Batches* batches, float* x) {
  for (;;) {
    augment<<<1, 256>>>(x);
    cudaDeviceSynchronize();
    batches->put(x);
  }
}

int main() {
  float* x;
  cudaMalloc(&x, 1024);
  Batches batches;
  Batches labels;
  std::thread one(worker), two(server), three(reader), loader(load, &batches, x), other(load, &labels, x);
  for (int i = 0; i < 1000; ++i) {
    {
      std::lock_guard<std::mutex> lock(mutex);
      work.push(x);
    }
    go.notify_one();
    {
      std::unique_lock<std::mutex> lock(mutex);
      done.wait(lock, [] { return finished; });
      finished = false;
    }
    train<<<1, 256>>>(x);
    asked.release();
    answered.acquire();
    wanted.release();
    fetched.acquire();
  }
  for (int i = 0; i < 1000; ++i) {
    float* batch = batches.take();
    float* label = labels.take();
    train<<<1, 256>>>(batch);
    train<<<1, 256>>>(label);
  }
  one.join();
  two.join();
  three.join();
  loader.join();
  other.join();
}
