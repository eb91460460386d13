// A coroutine's body runs where it is resumed, not where it is called: an iteration of the loop in which it is suspended.
#include <coroutine>
#include <exception>

__global__ void train(float* w, const float* x) { w[threadIdx.x] += x[threadIdx.x]; }
const float* read_batch();

template <class T>
struct Generator {
  struct promise_type {
    T value;
    Generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(T v) {
      value = v;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  struct Iterator {
    std::coroutine_handle<promise_type> handle;
    void operator++() { handle(); }
    T operator*() { return handle.promise().value; }
    bool operator!=(int) { return !handle.done(); }
  };
  std::coroutine_handle<promise_type> handle;
  bool next() {
    handle.resume();
    return !handle.done();
  }
  T get() { return handle.promise().value; }
  Iterator begin() {
    handle.resume();
    return {handle};
  }
  int end() { return 0; }
};

Generator<float*> batches(int n, cudaStream_t s) {
  float* d;
  cudaMalloc(&d, 4096);
  cudaStreamSynchronize(s);  // before the first batch
  for (int i = 0; i < n; ++i) {
    cudaMemcpyAsync(d, read_batch(), 4096, cudaMemcpyHostToDevice, s);
    cudaStreamSynchronize(s);                                           // expect-high [sync-in-loop]
    co_yield d;
  }
  cudaStreamSynchronize(s);  // after the last one
}

void by_call(float* w, cudaStream_t s) {
  auto generator = batches(10000, s);
  while (generator.next()) train<<<4, 256, 0, s>>>(w, generator.get());
}

Generator<const float*> slices(const float* x, cudaStream_t s) {
  while (true) {
    cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
    co_yield x;
  }
}

void by_iterator(float* w, const float* x, cudaStream_t s) {
  for (const float* slice : slices(x, s)) train<<<4, 256, 0, s>>>(w, slice);
}

// Resumed by a loop that launches nothing.
Generator<int> names(cudaStream_t s) {
  for (int i = 0; i < 10; ++i) {
    cudaStreamSynchronize(s);
    co_yield i;
  }
}

int sum_of_names(cudaStream_t s) {
  int sum = 0;
  auto generator = names(s);
  while (generator.next()) sum += generator.get();
  return sum;
}

// Without a loop each part runs once.
Generator<double> stages(cudaStream_t s) {
  cudaStreamSynchronize(s);
  co_yield 1;
  cudaStreamSynchronize(s);
  co_yield 2;
}

void by_stage(float* w, const float* x, cudaStream_t s) {
  auto generator = stages(s);
  while (generator.next()) train<<<4, 256, 0, s>>>(w, x);
}

struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  bool await_ready() { return true; }
  void await_suspend(std::coroutine_handle<>) {}
  void await_resume() {}
};

Task step(float* w, const float* x, cudaStream_t s) {
  train<<<4, 256, 0, s>>>(w, x);
  cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
  co_return;
}

// The loop is in the coroutine itself.
Task train_all(float* w, const float* x, cudaStream_t s) {
  cudaStreamSynchronize(s);
  for (int i = 0; i < 10000; ++i) co_await step(w, x, s);
}

int main() {
  float *w, *x;
  cudaMalloc(&w, 4096);
  cudaMalloc(&x, 4096);
  cudaStream_t s;
  cudaStreamCreate(&s);
  by_call(w, s);
  by_iterator(w, x, s);
  sum_of_names(s);
  by_stage(w, x, s);
  train_all(w, x, s);
}
