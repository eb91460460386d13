// A library's function that goes from the caller's host memory to the caller's host memory, and makes all that it works
// on, is a whole job: what it waits for belongs to its interface. A step keeps something on the device.
#include <cuda_runtime.h>

__global__ void scale(const float* x, float* y, int n);

static float* to_device(const float* host, int n) {
  float* x;
  cudaMalloc(&x, n * sizeof(float));
  cudaMemcpy(x, host, n * sizeof(float), cudaMemcpyHostToDevice);
  return x;
}

extern "C" void scaled(const float* input, float* output, int n) {
  float* x = to_device(input, n);  // expect-low [alloc-in-loop], expect-low [blocking-copy-in-loop]
  float* y;
  cudaMalloc(&y, n * sizeof(float));  // expect-low {{at each call of 'scaled'}} [alloc-in-loop]
  scale<<<n / 256, 256>>>(x, y, n);
  cudaMemcpy(output + 1, y, n * sizeof(float), cudaMemcpyDeviceToHost);  // expect-low [blocking-copy-in-loop]
  cudaFree(x);
  cudaFree(y);
}

// The result stays on the device for the next call.
extern "C" void step(const float* input, float* device_output, int n) {
  float* x;
  cudaMalloc(&x, n * sizeof(float));                                // expect-medium {{at each call of 'step'}} [alloc-in-loop]
  cudaMemcpy(x, input, n * sizeof(float), cudaMemcpyHostToDevice);  // expect-medium [blocking-copy-in-loop]
  scale<<<n / 256, 256>>>(x, device_output, n);
  cudaFree(x);
}

// What it works on was there before the call.
extern "C" void filtered(float* kept, const float* input, float* output, int n) {
  cudaMemcpy(kept, input, n * sizeof(float), cudaMemcpyHostToDevice);  // expect-medium {{at each call of 'filtered'}} [blocking-copy-in-loop]
  scale<<<n / 256, 256>>>(kept, kept, n);
  cudaMemcpy(output, kept, n * sizeof(float), cudaMemcpyDeviceToHost);  // expect-medium [blocking-copy-in-loop]
}
