// A function that frees its scratch memory when it is called with NULL, as the destructor does. Whoever hands over memory
// does not mean that.
#include <cuda_runtime.h>

__global__ void sample(float* to, const float* from, int n);

class Machine {
 public:
  ~Machine() { reconstruct(NULL); }
  void reconstruct(const float* visible) {
    static float* hidden = NULL;
    if (hidden == NULL) cudaMalloc(&hidden, 4096);
    if (visible == NULL && hidden) {
      cudaFree(hidden);
      return;
    }
    sample<<<4, 256>>>(hidden, visible, 1024);
  }
  // What it hands on it was itself given.
  void reconstruct_again(const float* visible) { reconstruct(visible); }
};

// Here null comes from a caller's own parameter: a call of this function with null runs the branch.
void forward(float* x, float* scratch) {
  float* own = scratch;
  if (scratch == nullptr) cudaMalloc(&own, 4096);  // expect-high [alloc-in-loop]
  sample<<<4, 256>>>(own, x, 1024);
  if (scratch == nullptr) cudaFree(own);
}
void layer(float* x, float* scratch) { forward(x, scratch); }

int main() {
  float *visible = nullptr, *x = nullptr;
  cudaMalloc(&visible, 4096);
  cudaMalloc(&x, 4096);
  Machine machine;
  for (int step = 0; step < 1000; ++step) {
    machine.reconstruct(visible);
    machine.reconstruct_again(visible + step);
    layer(x, nullptr);
  }
}
