// A helper that waits on either of two branches waits in each iteration: it is told at its callers' lines.
#include <cuda_runtime.h>

__global__ void train(float* x) { x[threadIdx.x] *= 2; }

struct Runner {
  cudaStream_t stream;
  cudaEvent_t done;
  bool whole;
};

void by_else(const Runner& r) {
  if (r.whole) {
    cudaDeviceSynchronize();
  } else {
    cudaEventRecord(r.done, r.stream);
    cudaEventSynchronize(r.done);
  }
}
void by_return(const Runner& r) {
  if (r.whole) {
    cudaDeviceSynchronize();
    return;
  }
  cudaStreamSynchronize(r.stream);
}
enum class Scope { kDevice, kStream };
void by_switch(const Runner& r, Scope scope) {
  switch (scope) {
    case Scope::kDevice: cudaDeviceSynchronize(); break;
    default: cudaStreamSynchronize(r.stream);
  }
}
// Not on every path.
void only_if(const Runner& r, bool also) {
  if (r.whole)
    cudaDeviceSynchronize();  // expect-high {{whenever a condition holds}} [sync-in-loop]
  else if (also)
    cudaStreamSynchronize(r.stream);  // expect-high {{whenever a condition holds}} [sync-in-loop]
}

void first(const Runner& r, float* x) {
  for (int i = 0; i < 1000; ++i) {
    train<<<1, 256, 0, r.stream>>>(x);
    by_else(r);  // expect-high {{in every iteration}} [sync-in-loop]
  }
  for (int i = 0; i < 1000; ++i) {
    train<<<1, 256, 0, r.stream>>>(x);
    by_return(r);  // expect-high {{in every iteration}} [sync-in-loop]
  }
}

void second(const Runner& r, float* x, Scope scope) {
  for (int i = 0; i < 1000; ++i) {
    train<<<1, 256, 0, r.stream>>>(x);
    by_else(r);  // expect-high {{in every iteration}} [sync-in-loop]
  }
  for (int i = 0; i < 1000; ++i) {
    train<<<1, 256, 0, r.stream>>>(x);
    by_switch(r, scope);  // expect-high {{in every iteration}} [sync-in-loop]
  }
}

void third(const Runner& r, float* x, bool also) {
  for (int i = 0; i < 1000; ++i) {
    train<<<1, 256, 0, r.stream>>>(x);
    only_if(r, also);
  }
}

int main(int argc, char**) {
  Runner r{};
  cudaStreamCreate(&r.stream);
  cudaEventCreate(&r.done);
  r.whole = argc > 1;
  float* x;
  cudaMalloc(&x, 4096);
  first(r, x);
  second(r, x, argc > 2 ? Scope::kDevice : Scope::kStream);
  third(r, x, argc > 3);
}
