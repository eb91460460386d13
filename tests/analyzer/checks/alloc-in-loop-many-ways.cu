// Fourteen classes that hand an allocation on to each other: more ways than can be walked lead from it to the loop.
#include <cuda_runtime.h>

__global__ void k(float* x, int n);

struct Part {
  virtual ~Part() = default;
  virtual void make(float** x, int n) { cudaMalloc(x, n); }
  Part* inner = nullptr;
};

#define PART(name)                                                       \
  struct name : Part {                                                   \
    void make(float** x, int n) override { inner->make(x, n); }          \
  };
PART(A) PART(B) PART(C) PART(D) PART(E) PART(F) PART(G) PART(H) PART(I) PART(J) PART(K) PART(L) PART(M) PART(N)
#undef PART

void train(Part& part, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    float* x;
    part.make(&x, n);  // expect-high [alloc-in-loop]
    k<<<1, 256>>>(x, n);
    cudaFree(x);
  }
}

void set_up(Part& part, float** x, int n) { part.make(x, n); }
