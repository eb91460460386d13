// unfused-elementwise-chain: what one elementwise kernel writes at its own index, the next one reads there.
#include <cuda_runtime.h>

__global__ void bias_add(float* x, const float* bias, int rows, int cols) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  int row = idx / cols;
  int col = idx % cols;
  if (row < rows && col < cols) x[idx] += bias[col];
}

__global__ void relu(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = fmaxf(0.0f, x[i]);
}

__global__ void drelu(const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = x[i] > 0.0f ? 1.0f : 0.0f;
}

__global__ void multiply(float* a, const float* b, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) a[i] *= b[i];
}

__global__ void matmul(const float* a, const float* b, float* c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= k) return;
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += a[row * n + i] * b[i * k + col];
  c[row * k + col] = sum;
}

__global__ void softmax_rows(float* x, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int i = 0; i < cols; ++i) sum += expf(x[row * cols + i]);
  for (int i = 0; i < cols; ++i) x[row * cols + i] = expf(x[row * cols + i]) / sum;
}

#define CHECK(call)                 \
  do {                              \
    cudaError_t error = (call);     \
    if (error != cudaSuccess) {     \
      cudaDeviceReset();            \
      return;                       \
    }                               \
  } while (0)

struct Net {
  float *w1, *b1, *w2, *b2, *hidden, *output, *grad, *mask;
};

// The bound of the first is not written down, so the grids tell that both go over the same elements.
void forward(Net* net, float* input, int batch, int hidden) {
  dim3 block(32, 32), grid((hidden + 31) / 32, (batch + 31) / 32);
  matmul<<<grid, block>>>(input, net->w1, net->hidden, batch, 784, hidden);
  CHECK(cudaGetLastError());
  bias_add<<<(batch * hidden + 255) / 256, 256>>>(net->hidden, net->b1, batch, hidden);  // expect-high {{2 elementwise kernels in a row ('bias_add', 'relu') go through the same elements of 'net->hidden', in every iteration of a loop that launches GPU work: 4 passes over memory where one kernel needs at most 2}} [unfused-elementwise-chain]
  // expect-evidence@-1 [unfused-elementwise-chain] {{'relu' is one kernel}}
  CHECK(cudaGetLastError());
  relu<<<(batch * hidden + 255) / 256, 256>>>(net->hidden, batch * hidden);
  CHECK(cudaGetLastError());
  matmul<<<grid, block>>>(net->hidden, net->w2, net->output, batch, hidden, 10);
  bias_add<<<(batch * 10 + 255) / 256, 256>>>(net->output, net->b2, batch, 10);
  softmax_rows<<<batch, 1>>>(net->output, batch, 10);
}

// A grid stride and an early return, over one extent.
void backward(Net* net, int batch, int hidden) {
  const int n = batch * hidden;
  drelu<<<(n + 255) / 256, 256>>>(net->hidden, net->mask, n);  // expect-high {{5 passes over memory where one kernel needs at most 4}} [unfused-elementwise-chain]
  multiply<<<64, 256>>>(net->grad, net->mask, hidden * batch);
}

// Two chains of one function, one between the other's kernels.
void two_chains(float* a, float* b, float* c, float* d, int n) {
  drelu<<<n / 256, 256>>>(a, b, n);  // expect-high {{3 elementwise}} [unfused-elementwise-chain]
  drelu<<<n / 256, 256>>>(c, d, n);  // expect-high {{2 elementwise}} [unfused-elementwise-chain]
  multiply<<<n / 256, 256>>>(b, a, n);
  relu<<<n / 256, 256>>>(d, n);
  relu<<<n / 256, 256>>>(b, n);
}

// A wait between two kernels is a stall of its own, and no reason for two kernels.
void waits_between(float* x, int n) {
  relu<<<n / 256, 256>>>(x, n);  // expect-high {{2 elementwise}} [unfused-elementwise-chain]
  cudaDeviceSynchronize();       // expect-high [sync-in-loop]
  relu<<<n / 256, 256>>>(x, n);
}

int main() {
  Net net{};
  float* input = nullptr;
  cudaMalloc(&input, 1 << 20);
  relu<<<4, 256>>>(net.w1, 1024);  // once
  relu<<<4, 256>>>(net.w1, 1024);
  for (int step = 0; step < 1000; ++step) {
    forward(&net, input, 64, 256);
    backward(&net, 64, 256);
    two_chains(net.w1, net.w2, net.b1, net.b2, 1024);
    waits_between(net.w1, 1024);
  }
}
