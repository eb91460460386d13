// Copies in a row are one finding for each way, at the first of them; few are told one by one.
#include <cuda_runtime.h>

__global__ void step(float* a, float* b, float* c, float* d, float* e);

struct Arrays {
  float *a, *b, *c, *d, *e;
};

void all(Arrays host, Arrays x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    // expect-high@+2 {{5 copies in a row are copied to the GPU}} [blocking-copy-in-loop]
    // expect-path@+1 [blocking-copy-in-loop] blocking-copy-in-loop-rows.cu:11, blocking-copy-in-loop-rows.cu:15, blocking-copy-in-loop-rows.cu:16, blocking-copy-in-loop-rows.cu:17, blocking-copy-in-loop-rows.cu:18
    cudaMemcpy(x.a, host.a, n, cudaMemcpyHostToDevice);
    cudaMemcpy(x.b, host.b, n, cudaMemcpyHostToDevice);
    cudaMemcpy(x.c, host.c, n, cudaMemcpyHostToDevice);
    cudaMemcpy(x.d, host.d, n, cudaMemcpyHostToDevice);
    cudaMemcpy(x.e, host.e, n, cudaMemcpyHostToDevice);
    step<<<1, 256>>>(x.a, x.b, x.c, x.d, x.e);
    // expect-high@+1 {{4 copies in a row are copied from the GPU}} [blocking-copy-in-loop]
    cudaMemcpy(host.a, x.a, n, cudaMemcpyDeviceToHost);
    cudaMemcpy(host.b, x.b, n, cudaMemcpyDeviceToHost);
    cudaMemcpy(host.c, x.c, n, cudaMemcpyDeviceToHost);
    cudaMemcpy(host.d, x.d, n, cudaMemcpyDeviceToHost);
  }
}

// Work between them parts the row, as a branch does.
void parted(Arrays host, Arrays x, int n, int steps, bool more) {
  for (int i = 0; i < steps; ++i) {
    cudaMemcpy(x.a, host.a, n, cudaMemcpyHostToDevice);  // expect-high [blocking-copy-in-loop]
    cudaMemcpy(x.b, host.b, n, cudaMemcpyHostToDevice);  // expect-high [blocking-copy-in-loop]
    step<<<1, 256>>>(x.a, x.b, x.c, x.d, x.e);
    cudaMemcpy(x.c, host.c, n, cudaMemcpyHostToDevice);  // expect-high [blocking-copy-in-loop]
    if (more) {
      cudaMemcpy(x.d, host.d, n, cudaMemcpyHostToDevice);  // expect-high [blocking-copy-in-loop]
    }
    cudaMemcpy(x.e, host.e, n, cudaMemcpyHostToDevice);  // expect-high [blocking-copy-in-loop]
  }
}
