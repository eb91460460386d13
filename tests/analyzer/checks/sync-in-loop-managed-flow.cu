// A wait after a kernel on managed memory is needed where the host can touch that memory before the next wait.
#include <cuda_runtime.h>

#include <cstring>

__global__ void k(float* x, int n);


// The host never looks within the loop.
float untouched(int n, int steps) {
  float* x;
  cudaMallocManaged(&x, n * sizeof(float));
  for (int i = 0; i < n; ++i) x[i] = 0;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
  return x[0];
}

// Two waits: the host looks after the second alone.
float second_alone(int n, int steps) {
  float *x, total = 0;
  cudaMallocManaged(&x, n * sizeof(float));
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    k<<<2, 256>>>(x, n);
    cudaDeviceSynchronize();
    total += x[0];
  }
  return total;
}

// Around the back edge: the host writes the next input at the loop's beginning.
void next_input(int n, int steps) {
  float* x;
  cudaMallocManaged(&x, n * sizeof(float));
  for (int i = 0; i < steps; ++i) {
    x[0] = i;
    k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();
  }
}

// Through a function of the library, and through one of the program's.
float other_hands(const float* batch, int n, int steps) {
  float *x, *y, total = 0;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&y, n * sizeof(float));
  for (int i = 0; i < steps; ++i) {
    memcpy(x, batch, n * sizeof(float));
    k<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();
  }
  return total;
}
float look(const float* p) { return p[0] + p[1]; }
float in_a_call(int n, int steps) {
  float *y, total = 0;
  cudaMallocManaged(&y, n * sizeof(float));
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(y, n);
    cudaDeviceSynchronize();
    total += look(y);
  }
  return total;
}

// Other managed memory than the kernel's.
float other_memory(int n, int steps) {
  float* x;
  float* settings;
  float total = 0;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&settings, n * sizeof(float));
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    k<<<1, 256>>>(settings, n);
    cudaDeviceSynchronize();
    total += settings[0];
  }
  return total;
}

// The wait stands in a function, the host's look in its caller; and none in another one's.
void run_seen(float* x, int n) {
  k<<<1, 256>>>(x, n);
  cudaDeviceSynchronize();
}
void run_unseen(float* x, int n) {
  k<<<1, 256>>>(x, n);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
}
float callers(int n, int steps) {
  float* seen = nullptr;
  float* unseen = nullptr;
  cudaMallocManaged(&seen, n * sizeof(float));
  cudaMallocManaged(&unseen, n * sizeof(float));
  float total = 0;
  for (int i = 0; i < steps; ++i) {
    run_seen(seen, n);
    total += seen[0];
    run_unseen(unseen, n);
  }
  return total + unseen[0];
}
