// requires: thrust/host_vector.h
// A host_vector made from a device_vector copies all of it across the bus.
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

__global__ void k(float* x, int n);

void made(float* x, int n, int steps, thrust::device_vector<float>& v, thrust::host_vector<float>& kept) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    thrust::host_vector<float> h = v;  // expect-high [blocking-copy-in-loop]
    k<<<1, 256>>>(x, n);
    thrust::host_vector<float> g(v);  // expect-high [blocking-copy-in-loop]
    k<<<1, 256>>>(x, n);
    kept = v;  // expect-high [blocking-copy-in-loop]
    k<<<1, 256>>>(x, n);
    thrust::host_vector<float> twin = kept;
    k<<<1, 256>>>(x, n);
    thrust::host_vector<float> empty(n);
  }
}
