// A loop around a solver: each iteration sets up, lets an endless loop inside go on until it is done, and gives back.
// What the inner loop does again and again is told of that loop; what is set up once a run is none of its.
#include <cuda_runtime.h>
#include <vector>

__global__ void update(float* x, int n);
__global__ void residual(const float* x, float* out, int n);

struct Buffer {
  explicit Buffer(int n) : size(n) { cudaMalloc(&data, n * sizeof(float)); }
  ~Buffer() { cudaFree(data); }
  float* data = nullptr;
  int size;
};

void solve(Buffer& x, Buffer& error, float* host) {
  for (int iteration = 0;; ++iteration) {
    Buffer scratch(x.size);  // expect-high [alloc-in-loop]
    update<<<64, 128>>>(scratch.data, x.size);
    update<<<64, 128>>>(x.data, x.size);
    residual<<<1, 128>>>(x.data, error.data, x.size);
    float now = 0;
    cudaMemcpy(&now, error.data, sizeof(float), cudaMemcpyDeviceToHost);  // expect-low [branch-on-device]
    if (now < 1e-3f) {
      cudaMemcpy(host, x.data, x.size * sizeof(float), cudaMemcpyDeviceToHost);
      break;
    }
  }
}

void train_one(int n, float* host) {
  Buffer x(n);
  Buffer error(1);
  cudaMemcpy(x.data, host, n * sizeof(float), cudaMemcpyHostToDevice);  // expect-medium [blocking-copy-in-loop]
  solve(x, error, host);
}

void cross_validate(int folds, int n, float* host) {
  for (int fold = 0; fold < folds; ++fold) train_one(n, host);
}

// The inner loop has an end that its head names: the outer one is the loop over the steps.
void step(int n, int parts) {
  Buffer x(n);  // expect-high [alloc-in-loop]
  for (int part = 0; part < parts; ++part) update<<<64, 128>>>(x.data, n);
}

void train(int steps, int n, int parts) {
  for (int i = 0; i < steps; ++i) step(n, parts);
}

// Made by the outer loop itself: nobody shows that the inner one takes long.
void time_steps(int steps, int n, float* x, float* host) {
  for (int i = 0; i < steps; ++i) {
    float* old = nullptr;
    cudaMalloc(&old, n * sizeof(float));  // expect-medium [alloc-in-loop]
    while (true) {
      update<<<64, 128>>>(x, n);
      cudaMemcpy(host, x, sizeof(float), cudaMemcpyDeviceToHost);  // expect-low [branch-on-device]
      if (host[0] < 1) break;
    }
    cudaFree(old);
  }
}

// A thousand launches for each buffer.
void solve_in_many_rounds(int n) {
  Buffer x(n);
  for (int i = 0; i < 1000; ++i) update<<<64, 128>>>(x.data, n);
}

void train_models(int models, int n) {
  for (int i = 0; i < models; ++i) solve_in_many_rounds(n);
}
