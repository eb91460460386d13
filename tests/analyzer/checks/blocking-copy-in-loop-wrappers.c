// cuda_push_array and cuda_pull_array: the direction stands in the wrapper, the loop and the line in its callers.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

static void check_error(cudaError_t status) {
  cudaError_t status2 = cudaGetLastError();
  if (status != cudaSuccess) {
    printf("CUDA Error: %s\n", cudaGetErrorString(status));
    exit(1);
  }
  if (status2 != cudaSuccess) exit(1);
}

static void cuda_push_array(float *x_gpu, float *x, size_t n) {
  size_t size = sizeof(float) * n;
  cudaError_t status = cudaMemcpy(x_gpu, x, size, cudaMemcpyHostToDevice);
  check_error(status);
}

static void cuda_pull_array(float *x_gpu, float *x, size_t n) {
  size_t size = sizeof(float) * n;
  cudaError_t status = cudaMemcpy(x, x_gpu, size, cudaMemcpyDeviceToHost);
  check_error(status);
}

typedef struct {
  float *input, *input_gpu;
  float *delta, *delta_gpu;
  int n;
} network;

static void forward(network *net, cublasHandle_t handle) {
  float one = 1;
  cuda_push_array(net->input_gpu, net->input, net->n);  // expect-high {{cudaMemcpy}} [blocking-copy-in-loop]
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 32, 32, 32, &one, net->input_gpu, 32, net->delta_gpu, 32, &one,
              net->delta_gpu, 32);
}

static float backward(network *net, cublasHandle_t handle) {
  float one = 1;
  cuda_pull_array(net->delta_gpu, net->delta, net->n);  // expect-high [blocking-copy-in-loop]
  cublasSscal(handle, net->n, &one, net->delta_gpu, 1);
  return net->delta[0];
}

int main(void) {
  network net = {0};
  cublasHandle_t handle;
  cublasCreate(&handle);
  net.n = 1 << 20;
  cuda_push_array(net.delta_gpu, net.delta, net.n);
  for (int i = 0; i < 1000; ++i) {
    forward(&net, handle);
    backward(&net, handle);
  }
  cuda_pull_array(net.delta_gpu, net.delta, net.n);
  return 0;
}
