// thrust::copy waits at its end even where no bytes cross the bus.
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>

__global__ void k(int* x) { *x += 1; }

int main() {
  thrust::device_vector<int> a(100), b(100);
  thrust::host_vector<int> h(100), g(100);
  for (int i = 0; i < 100; ++i) {
    k<<<1, 1>>>(thrust::raw_pointer_cast(a.data()));
    thrust::copy(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(100), a.begin());  // expect-high [sync-in-loop]
  }
  for (int i = 0; i < 100; ++i) {
    k<<<1, 1>>>(thrust::raw_pointer_cast(a.data()));
    thrust::copy(a.begin(), a.end(), b.begin());  // expect-high [sync-in-loop]
  }
  for (int i = 0; i < 100; ++i) {
    k<<<1, 1>>>(thrust::raw_pointer_cast(a.data()));
    thrust::copy(h.begin(), h.end(), a.begin());  // expect-high [blocking-copy-in-loop]
  }
  // On the host alone.
  for (int i = 0; i < 100; ++i) {
    k<<<1, 1>>>(thrust::raw_pointer_cast(a.data()));
    thrust::copy(h.begin(), h.end(), g.begin());
    thrust::copy(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(100), h.begin());
  }
}
