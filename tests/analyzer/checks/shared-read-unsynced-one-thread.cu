// One thread may read the element that it wrote itself; others may not.
#include <cuda_runtime.h>

__global__ void own_element(float* out, const float* x) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  s[t] = x[t];
  if (t == 0) out[0] = s[0];
  if (7 == t && x[0] > 0) out[1] = s[7];
}
__global__ void other_element(float* out, const float* x) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  s[t] = x[t];
  if (t == 0) out[0] = s[64];  // expect-medium [shared-read-unsynced]
}
__global__ void everyone(float* out, const float* x) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  s[t] = x[t];
  out[t] = s[0];  // expect-medium [shared-read-unsynced]
}
