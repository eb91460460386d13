// What stands behind a return does not run; what stands behind a label, or in another case of a switch, does.
#include <cuda_runtime.h>

__global__ void vote(int* correct);
__global__ void train(float* weights);

int count_votes(int* correct) {
  return 0;
  vote<<<1, 256>>>(correct);
  cudaDeviceSynchronize();
}

int choose(int kind) {
  if (kind > 7)
    return 1;
  else
    return 2;
  cudaDeviceSynchronize();
}

int choose_some(int kind) {
  if (kind > 7) {
    return 1;
  } else if (kind > 6) {
    return 2;
  }
  cudaDeviceSynchronize();
  [[likely]] return 3;
  cudaDeviceSynchronize();
}

int wait_by(int kind) {
  switch (kind) {
    case 0:
      return 0;
    case 1:
      cudaDeviceSynchronize();  // expect-high [sync-in-loop]
      break;
    default:
      break;
      cudaDeviceSynchronize();
  }
  if (kind > 7) goto again;
  return 1;
again:
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  return 2;
}

int main(int argc, char** argv) {
  float* weights;
  int* correct;
  cudaMalloc(reinterpret_cast<void**>(&weights), 1024);
  cudaMalloc(reinterpret_cast<void**>(&correct), 4);
  int sum = 0;
  for (int step = 0; step < 1000; ++step) {
    train<<<1, 256>>>(weights);
    sum += count_votes(correct) + wait_by(argc) + choose(argc);
    sum += choose_some(argc);  // expect-high [sync-in-loop]
  }
  return sum > 0;
}
