// C's NULL, asked so that the other operand may read through the pointer.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <stdlib.h>

struct batch {
  int n;
};

struct layer {
  float *out;
  int n;
};

static void forward(cublasHandle_t handle, struct layer *layer, const struct batch *in) {
  float one = 1;
  if (in == NULL || layer->n != in->n) {
    layer->n = in->n;
    cudaDeviceSynchronize();
  }
  cublasSaxpy(handle, layer->n, &one, layer->out, 1, layer->out, 1);
}

static void masked(cublasHandle_t handle, struct layer *layer, const float *mask, int n) {
  float one = 1;
  if (mask == NULL || layer->n != n) {
    layer->n = n;
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
  cublasSaxpy(handle, layer->n, &one, layer->out, 1, layer->out, 1);
}

void train(cublasHandle_t handle, struct layer *layer, struct batch *batches, const float *mask, int steps) {
  for (int i = 0; i < steps; ++i) {
    forward(handle, layer, &batches[i]);  // expect-high [unfused-elementwise-chain]
    masked(handle, layer, mask, 64);
  }
}

int main(void) {
  struct layer layer = {0};
  struct batch *batches = calloc(1000, sizeof *batches);
  cublasHandle_t handle;
  cublasCreate(&handle);
  train(handle, &layer, batches, NULL, 1000);
  return 0;
}
