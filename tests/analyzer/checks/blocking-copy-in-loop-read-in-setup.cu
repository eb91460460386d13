// A file's layers, each read into one host buffer, copied into one staging buffer and converted into memory of its own
// that nothing frees: set-up. The same staging with weights that all iterations work on trains.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void to_half(const float* from, unsigned short* to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = static_cast<unsigned short>(from[i]);
}
__global__ void train(float* weights, const float* batch, float* scratch, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) weights[i] += scratch[i] = batch[i];
}

static void read_layers(FILE* file, float* host, float* staging, unsigned short** layers) {
  int n, k = 0;
  while (fread(&n, 4, 1, file)) {
    fread(host, 4, n, file);
    cudaMemcpy(staging, host, n * 4, cudaMemcpyHostToDevice);
    cudaMalloc(&layers[k], n * 2);
    to_half<<<(n + 255) / 256, 256>>>(staging, layers[k++], n);
  }
}

static void read_and_train(FILE* file, float* host, float* staging, float* weights, float** kept) {
  int n, k = 0;
  while (fread(&n, 4, 1, file)) {
    fread(host, 4, n, file);
    cudaMemcpy(staging, host, n * 4, cudaMemcpyHostToDevice);  // expect-high [blocking-copy-in-loop]
    cudaMalloc(&kept[k], n * 4);                               // expect-high [alloc-in-loop]
    train<<<(n + 255) / 256, 256>>>(weights, staging, kept[k++], n);
  }
}

int main() {
  unsigned short* layers[64];
  float* kept[4096];
  float *host = new float[1 << 20], *staging, *weights;
  cudaMalloc(&staging, 4 << 20);
  cudaMalloc(&weights, 4 << 20);
  FILE* file = fopen("model", "rb");
  read_layers(file, host, staging, layers);
  FILE* data = fopen("data", "rb");
  read_and_train(data, host, staging, weights, kept);
}
