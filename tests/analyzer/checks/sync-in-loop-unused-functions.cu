// How often a function runs, main() says where it trains. A function that nobody calls any more says nothing of what
// main() comes to, and its own lines are no more than a remark.
#include <cuda_runtime.h>

__global__ void step(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;
}

struct Solver {
  float *x, *temporary;
  int n = 1 << 20;

  void set_up() {
    cudaMalloc(&x, n * 4);
    step<<<4096, 256>>>(x, n);
    cudaDeviceSynchronize();
  }

  void consider() {
    float first;
    cudaMemcpy(&first, x, 4, cudaMemcpyDeviceToHost);  // expect-high [branch-on-device]
    if (first > 3) step<<<4096, 256>>>(x, n);
  }

  void run(bool considers) {
    set_up();
    int i = 0;
    do {
      step<<<4096, 256>>>(x, n);
      if (considers) consider();
    } while (++i < 1000);
  }

  // Nobody calls it: its lines cost no run of this program anything.
  void try_splits() {
    for (int i = 0; i < 100; ++i) {
      step<<<4096, 256>>>(x, n);
      cudaDeviceSynchronize();  // expect-low [sync-in-loop]
      run(false);
    }
  }
};

int main() {
  Solver solver;
  solver.run(true);
}
