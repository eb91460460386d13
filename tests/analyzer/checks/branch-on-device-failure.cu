// main() gives up with an exit status: an error flag of the device, asked for in each step, is no test of convergence.
__global__ void step(float* x, int* bad) {
  x[threadIdx.x] += 1;
  if (x[threadIdx.x] < 0) *bad = 1;
}

int main() {
  float* x;
  int *bad, failed;
  cudaMalloc(&x, 1024);
  cudaMalloc(&bad, sizeof(int));
  for (int s = 0; s < 100000; ++s) {
    step<<<1, 256>>>(x, bad);
    cudaMemcpy(&failed, bad, sizeof(int), cudaMemcpyDeviceToHost);  // expect-high [branch-on-device]
    if (failed) return 1;
  }
  for (int s = 0; s < 100000; ++s) {
    step<<<1, 256>>>(x, bad);
    cudaMemcpy(&failed, bad, sizeof(int), cudaMemcpyDeviceToHost);  // expect-low [branch-on-device]
    if (failed) return 0;
  }
}
