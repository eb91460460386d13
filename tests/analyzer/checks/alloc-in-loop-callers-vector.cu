// requires: thrust/device_vector.h
// A vector that a helper grows: it allocates in each step where the caller constructs it empty in each step.
#include <thrust/device_vector.h>

__global__ void k(float* p, int n);

void fill(thrust::device_vector<float>& out, int n) {
  out.resize(n);  // expect-high {{must grow}} [alloc-in-loop]
  k<<<1, 256>>>(thrust::raw_pointer_cast(out.data()), n);
}

void fill_through(thrust::device_vector<float>& out, int n) { fill(out, n); }

void anew(int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    thrust::device_vector<float> out;
    fill_through(out, n);
  }
}

void fill_kept(thrust::device_vector<float>& out, int n) {
  out.resize(n);
  k<<<1, 256>>>(thrust::raw_pointer_cast(out.data()), n);
}

void kept(int n, int steps) {
  thrust::device_vector<float> out;
  for (int i = 0; i < steps; ++i) fill_kept(out, n);
}
