// A network that runs its samples one by one: each kernel is told by a number which part of the arrays is its own. With
// one more dimension of the grid a launch runs all samples. Loops whose launches go on from another iteration's results
// are none of that, nor is a number that picks no memory.
#include <cuda_runtime.h>

__device__ void store(float* to, int at, float x) { to[at] = x; }

__global__ void forward(int sample, int n, const float* x, const float* w, float* y) {
  extern __shared__ float part[];
  int t = threadIdx.x, o = blockIdx.x;
  part[t] = x[sample * n + t] * w[o * n + t];
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) {
    if (t < s) part[t] += part[t + s];
    __syncthreads();
  }
  if (t == 0) y[sample * gridDim.x + o] = part[0];
}
__global__ void pool(int sample, int n, const float* y, float* z, float* which) {
  int t = threadIdx.x, head = sample * n + t * 2, at = head;
  float best = y[head];
  if (y[head + 1] > best) best = y[at = head + 1];
  float* row = z + sample * (n / 2);
  row[t] = best;
  store(which, sample * (n / 2) + t, at);
}
__global__ void loss(int sample, int n, const float* z, const int* labels, float* d, float* losses) {
  d[sample * n + threadIdx.x] = z[sample * n + threadIdx.x] - labels[sample];
  if (threadIdx.x == 0) losses[sample] = z[sample * n];
}
__global__ void normalise(int sample, int n, float* z, float* d) {
  float* row = z + sample * n;
  row[threadIdx.x] = row[threadIdx.x] / (1 + row[0]);
  d[sample * n + threadIdx.x] = 1 - row[threadIdx.x] * z[sample * n];
}
__global__ void from_parent(int node, int n, const int* parents, float* h) {
  h[node * n + threadIdx.x] = 2 * h[parents[node] * n + threadIdx.x];
}
__global__ void unpool(int sample, int n, const float* which, const float* d, float* to) {
  int at = (int)which[sample * n + threadIdx.x];
  to[at] = d[sample * n + threadIdx.x];
}
__global__ void outer(int sample, int n, const float* d, const float* x, float* dw) {
  int t = threadIdx.x, o = blockIdx.x;
  dw[(sample * gridDim.x + o) * n + t] = d[sample * gridDim.x + o] * x[sample * n + t];
}
__global__ void recur(int step, int n, const float* w, float* h) {
  h[step * n + threadIdx.x] = w[threadIdx.x] * h[(step - 1) * n + threadIdx.x];
}
__global__ void gate(int step, int n, const float* h, float* g) {
  g[step * n + threadIdx.x] = h[threadIdx.x] + h[step];
}
__global__ void state(int step, int n, const float* g, float* h) {
  h[step * n + threadIdx.x] = g[step * n + threadIdx.x] * 2;
}
__global__ void shifted(int step, int n, float* to, const float* from) {
  to[step * n + threadIdx.x] = from[(step - 1) * n + threadIdx.x] * 2;
}
__global__ void noise(int seed, int n, float* x) { x[threadIdx.x] = seed * 12345 % n; }
__global__ void total(int sample, int n, const float* x, float* sum) {
  atomicAdd(&sum[threadIdx.x], x[sample * n + threadIdx.x]);
}
__global__ void row_sum(int sample, int n, const float* x, float* sum) {
  atomicAdd(&sum[sample], x[sample * n + threadIdx.x]);
}

struct Net {
  float *x, *w, *y, *z, *which, *d, *dw, *up, *losses, *h, *g;
  int* labels;
  void run_sample(int s) { forward<<<32, 256>>>(s, 256, x, w, y); }
};

int main() {
  Net net;
  float** arrays[] = {&net.x, &net.w, &net.y, &net.z, &net.which, &net.d, &net.dw, &net.up, &net.losses, &net.h, &net.g};
  for (float** array : arrays) cudaMalloc(array, 1 << 20);
  cudaMalloc(&net.labels, 1 << 20);
  for (int step = 0; step < 10000; ++step) {
    for (int s = 0; s < 64; ++s) {  // expect-high {{for each element ('forward')}} [per-tensor-loop]
      forward<<<32, 256>>>(s, 256, net.x, net.w, net.y);
      pool<<<1, 16>>>(s, 32, net.y, net.z, net.which);
      normalise<<<1, 16>>>(s, 16, net.z, net.d);
      loss<<<1, 16>>>(step * 64 + s, 16, net.z, net.labels, net.d, net.losses);
      unpool<<<1, 16>>>(s, 16, net.which, net.d, net.up);
      outer<<<32, 256>>>(s, 256, net.up, net.x, net.dw);
    }
    for (int s = 0; s < 64; ++s) net.run_sample(s);                                    // expect-high [per-tensor-loop]
    for (int s = 0; s < 64; ++s) row_sum<<<1, 256>>>(s, 256, net.x, net.losses);       // expect-high [per-tensor-loop]
    for (int t = 1; t < 64; ++t) recur<<<1, 256>>>(t, 256, net.w, net.h);
    for (int t = 0; t < 64; ++t) from_parent<<<1, 256>>>(t, 256, net.labels, net.h);
    for (int t = 0; t < 64; ++t) {
      gate<<<1, 256>>>(t, 256, net.h, net.g);
      state<<<1, 256>>>(t, 256, net.g, net.h);
    }
    for (int t = 1; t < 64; ++t) shifted<<<1, 256>>>(t, 256, net.h, net.h);
    for (int t = 0; t < 64; ++t) noise<<<1, 256>>>(t, 256, net.x);
    for (int s = 0; s < 64; ++s) total<<<1, 256>>>(s, 256, net.x, net.losses);
  }
}
