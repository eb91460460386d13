// Managed memory that the host touches in a caller, or in the next call: the wait is needed though no read stands here.
#include <cuda_runtime.h>

__global__ void sample(const float* x, float* out, int n);
__global__ void update(float* w, const float* x, int n);

void sample_into(const float* x, float* out, int n) {
  sample<<<1, 256>>>(x, out, n);
  cudaDeviceSynchronize();
}

void clear(float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] = 0;
}

void step(float* w, float* x, int n) {
  update<<<1, 256>>>(w, x, n);
  cudaDeviceSynchronize();
}

// Only where the device is full: the host never touches it.
void step_on_device(float* w, const float* x, int n) {
  update<<<1, 256>>>(w, x, n);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  update<<<1, 256>>>(w, x, n);
}

float* allocate(int n) {
  float* p = nullptr;
  if (cudaMalloc(&p, n * sizeof(float)) != cudaSuccess) cudaMallocManaged(&p, n * sizeof(float));
  return p;
}

int main() {
  const int n = 1 << 20;
  float *x, *probe, *w;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&probe, n * sizeof(float));
  cudaMallocManaged(&w, n * sizeof(float));
  float* spare = allocate(n);
  float sum = 0;
  for (int i = 0; i < 1000; ++i) {
    sample_into(x, probe, n);
    for (int k = 0; k < n; ++k) sum += probe[k];
    step(w, x, n);
    clear(x, n);
    step_on_device(spare, spare, n);
  }
  return sum > 0;
}
