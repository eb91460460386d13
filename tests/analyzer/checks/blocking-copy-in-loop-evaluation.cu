// A loop that launches part of what the training loop launches, but for the update, tries the network out.
#include <cuda_runtime.h>

__global__ void forward(const float* w, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = w[i] * x[i];
}
__global__ void backward(const float* y, const float* x, float* g, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n) g[i] = y[i] * x[i - 1];
}
__global__ void descend(float* w, const float* g, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n) w[i] -= 0.1f * g[i - 1];
}

static void predict(const float* w, const float* x, float* y, int n) { forward<<<n / 128, 128>>>(w, x, y, n); }

void by_turns(float* w, float* x, float* y, float* g, float* host, int n, int steps);

int main() {
  constexpr int n = 1 << 10;  // little: other rules are about much memory
  static float images[n], results[n];
  float *w, *x, *y, *g;
  cudaMalloc(&w, n * sizeof(float));
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMalloc(&g, n * sizeof(float));
  for (int epoch = 0; epoch < 50; ++epoch) {
    for (int batch = 0; batch < 100; ++batch) {
      cudaMemcpy(x, images, n * sizeof(float), cudaMemcpyHostToDevice);  // expect-high [blocking-copy-in-loop]
      predict(w, x, y, n);
      backward<<<n / 128, 128>>>(y, x, g, n);
      descend<<<n / 128, 128>>>(w, g, n);
    }
    for (int batch = 0; batch < 20; ++batch) {
      predict(w, x, y, n);
      cudaMemcpy(results, y, n * sizeof(float), cudaMemcpyDeviceToHost);  // expect-medium [blocking-copy-in-loop]
    }
  }
  for (int batch = 0; batch < 100; ++batch) {
    predict(w, x, y, n);
    cudaMemcpy(results, y, n * sizeof(float), cudaMemcpyDeviceToHost);  // expect-low [blocking-copy-in-loop]
  }
  by_turns(w, x, y, g, results, n, 1000);
}

// Two loops that both update: neither tries the other out.
void by_turns(float* w, float* x, float* y, float* g, float* host, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    descend<<<n / 128, 128>>>(w, g, n);
    cudaMemcpy(host, y, n * sizeof(float), cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop]
  }
  for (int i = 0; i < steps; ++i) {
    descend<<<n / 128, 128>>>(w, g, n);
    backward<<<n / 128, 128>>>(y, x, g, n);
    cudaMemcpy(host, y, n * sizeof(float), cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop]
  }
}
