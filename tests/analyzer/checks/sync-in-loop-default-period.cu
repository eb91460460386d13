// One iteration in `n`, where n is a setting: how often that is, its default tells.
#include <cuda_runtime.h>

__global__ void k(float* x, int n);

struct Metrics {
  static inline int every = 1;
  int seldom = 100;
  int unset;
  bool due(int step) const {
    if (step % every != 0) return false;
    return true;
  }
};

int report_every = 1;
int print_every = 50;

void train(float* x, int n, int steps, const Metrics& metrics) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    if (metrics.due(i)) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    k<<<1, 256>>>(x, n);
    if (i % report_every == 0) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    k<<<1, 256>>>(x, n);
    if (i % print_every == 0) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
    k<<<1, 256>>>(x, n);
    if (i % metrics.seldom == 0) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
    k<<<1, 256>>>(x, n);
    if (i % metrics.unset == 0) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
  }
}
