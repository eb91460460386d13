// Lambdas that capture nothing, called through function pointers.
#include <cuda_runtime.h>

__global__ void train(float* x) { x[threadIdx.x] += 1; }

void in_a_variable(float* x) {
  void (*step)(float*) = [](float* p) {
    train<<<1, 256>>>(p);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  };
  for (int i = 0; i < 1000; ++i) step(x);
}

void named_first(float* x) {
  const auto lambda = [](float* p) {
    train<<<1, 256>>>(p);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  };
  void (*step)(float*) = lambda;
  for (int i = 0; i < 1000; ++i) step(x);
}

void by_plus(float* x) {
  const auto step = +[](float* p) {
    train<<<1, 256>>>(p);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  };
  for (int i = 0; i < 1000; ++i) step(x);
}

void repeat(int count, void (*step)(float*), float* x) {
  for (int i = 0; i < count; ++i) step(x);
}

struct Loop {
  void (*callback)(void*);
  void* user;
  int left;
};
void set(Loop* loop, void (*callback)(void*), void* user) {
  loop->callback = callback;
  loop->user = user;
  loop->left = 1000;
}
void run(Loop* loop) {
  while (loop->left-- > 0) loop->callback(loop->user);
}

int main() {
  float* x;
  cudaMalloc(&x, 4096);
  in_a_variable(x);
  named_first(x);
  by_plus(x);
  repeat(
      1000,
      [](float* p) {
        train<<<1, 256>>>(p);
        cudaDeviceSynchronize();  // expect-high [sync-in-loop]
      },
      x);
  Loop loop;
  set(
      &loop,
      [](void* user) {
        train<<<1, 256>>>(static_cast<float*>(user));
        cudaDeviceSynchronize();  // expect-high [sync-in-loop]
      },
      x);
  run(&loop);
  // Called once.
  void (*once)(float*) = [](float* p) {
    train<<<1, 256>>>(p);
    cudaDeviceSynchronize();
  };
  once(x);
}
