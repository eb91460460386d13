/* A pointer that each iteration fetches, skips the rest of where it is null, and clears at the end: the rest runs in
 * each iteration all the same. What is made where a pointer is null is made once. */
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <stddef.h>

int read_sample(const char* file, double** in);
void give_back(double* in);

void train(cublasHandle_t handle, char** files, int count, double* device, double* weights) {
  static double* scratch = NULL;
  double* in = NULL;
  double one = 1;
  int i;
  for (i = 0; i < count; i++) {
    read_sample(files[i], &in);
    if (in == NULL) continue;
    if (scratch == NULL) cudaMalloc((void**)&scratch, 8192);
    cudaMemcpy(device, in, 8192, cudaMemcpyHostToDevice); // expect-high [blocking-copy-in-loop]
    cublasDaxpy(handle, 1024, &one, device, 1, weights, 1);
    give_back(in);
    in = NULL;
  }
}

int main(int argc, char** argv) {
  double *device, *weights;
  cublasHandle_t handle;
  cublasCreate(&handle);
  cudaMalloc((void**)&device, 8192);
  cudaMalloc((void**)&weights, 8192);
  train(handle, argv, argc, device, weights);
  return 0;
}
