#include "buffers.h"
#include <cuda_runtime.h>
#include <cstdlib>
#include <new>

HostBuffer make_buffer(size_t n) {
  HostBuffer b;
  b.size = n;
  b.data = new float[n];
  return b;
}

void allocate_into(float** out, size_t n) { *out = static_cast<float*>(std::malloc(n * sizeof(float))); }
