// What reads a value back and decides nothing for the GPU by it stays with the rule of read-backs.
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>

__global__ void forward(float* x, float* loss, int n);
__global__ void update(float* x, int n);

#define CHECK(call)                        \
  do {                                     \
    if ((call) != cudaSuccess) exit(1);    \
  } while (0)

// The branch of CHECK looks at the error code, not at the value.
float sums(float* x, float* device_loss, int n, int steps) {
  float total = 0;
  for (int step = 0; step < steps; ++step) {
    forward<<<1, 256>>>(x, device_loss, n);
    float loss;
    CHECK(cudaMemcpy(&loss, device_loss, sizeof(float), cudaMemcpyDeviceToHost));  // expect-high [scalar-readback]
    if (cudaGetLastError() != cudaSuccess) exit(1);
    total += loss;
  }
  return total;
}

// Printed, or kept as the best so far: the GPU does the same either way.
float keeps(float* x, float* device_loss, int n, int steps) {
  float best = 1e30f;
  for (int step = 0; step < steps; ++step) {
    forward<<<1, 256>>>(x, device_loss, n);
    float loss;
    cudaMemcpy(&loss, device_loss, sizeof(float), cudaMemcpyDeviceToHost);  // expect-high [scalar-readback]
    if (loss > 100) std::printf("large loss %f\n", loss);
    if (loss < best) best = loss;
    update<<<1, 256>>>(x, n);
  }
  return best;
}

// A branch on something else.
void other_condition(float* x, float* device_loss, int n, int steps, float* losses) {
  for (int step = 0; step < steps; ++step) {
    forward<<<1, 256>>>(x, device_loss, n);
    cudaMemcpy(&losses[step], device_loss, sizeof(float), cudaMemcpyDeviceToHost);  // expect-high [scalar-readback]
    if (step > 10) update<<<1, 256>>>(x, n);
  }
}

// Looked at a step late.
void a_step_late(float* x, float* device_loss, int n, int steps) {
  float loss = 0;
  for (int step = 0; step < steps; ++step) {
    if (std::isnan(loss)) break;
    forward<<<1, 256>>>(x, device_loss, n);
    update<<<1, 256>>>(x, n);
    cudaMemcpy(&loss, device_loss, sizeof(float), cudaMemcpyDeviceToHost);  // expect-high [scalar-readback]
  }
}
