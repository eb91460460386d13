// What names say of how often code runs, and what they only seem to say.
#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

__global__ void k(float* x, int n);

void log_state(float* x) {
  k<<<1, 256>>>(x, 256);
  cudaDeviceSynchronize();  // expect-medium {{the host waits}} [sync-in-loop]
}
void apply_log(float* x) {  // the logarithm
  k<<<1, 256>>>(x, 256);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
}
void evaluate(float* x) {
  k<<<1, 256>>>(x, 256);
  cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
}
void evaluate_gradient(float* x) {
  k<<<1, 256>>>(x, 256);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
}

void train(float* x, int steps) {
  for (int i = 0; i < steps; ++i) {
    log_state(x);
    apply_log(x);
    evaluate(x);
    evaluate_gradient(x);
  }
}

struct Queue {
  float* x;
};

void on_all_devices(std::vector<Queue>& queues, std::size_t number_of_used_devices) {
  for (typename std::vector<Queue>::size_type current_queue = 0; current_queue < number_of_used_devices; ++current_queue) {
    k<<<1, 256>>>(queues[current_queue].x, 256);
    cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
  }
}

void init_weights(float* x, int chunks) {
  for (int chunk = 0; chunk < chunks; ++chunk) {
    k<<<1, 256>>>(x, chunk);
    cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
  }
}
