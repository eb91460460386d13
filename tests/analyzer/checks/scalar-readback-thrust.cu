// requires: thrust/device_vector.h
// Algorithms whose result comes to the host.
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <vector>

__global__ void k(float* x, int n);

float on_the_device(thrust::device_vector<float>& v, float* raw, int n, int steps) {
  float total = 0;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(raw, n);
    total += thrust::reduce(v.begin(), v.end());                                 // expect-high [scalar-readback]
    total += thrust::reduce(thrust::device, raw, raw + n);                       // expect-high [scalar-readback]
    total += thrust::count(v.begin(), v.end(), 0.0f);                            // expect-high [scalar-readback]
    total += thrust::inner_product(v.begin(), v.end(), v.begin(), 0.0f);         // expect-high [scalar-readback]
    total += *thrust::min_element(thrust::device, raw, raw + n);                 // expect-high [scalar-readback]
  }
  return total;
}

float on_the_host(std::vector<float>& h, float* raw, int n, int steps) {
  float total = 0;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(raw, n);
    total += thrust::reduce(thrust::host, h.begin(), h.end());
    total += thrust::reduce(h.begin(), h.end());
  }
  return total;
}

// The element is read, and written back: each waits.
void in_place(thrust::device_vector<float>& v, float* raw, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(raw, n);
    v[0] *= -1;  // expect-high {{operator*=}} [blocking-copy-in-loop]
    k<<<1, 256>>>(raw, n);
    ++v[1];  // expect-high {{operator++}} [blocking-copy-in-loop]
  }
}
