// thrust::copy waits at its end even where no bytes cross the bus.
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

__global__ void k(int* x) { *x += 1; }

struct Half {
  __host__ __device__ int operator()(int x) const { return x / 2; }
};

int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
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
  // Through an iterator that changes what is written: the policy says where the copy runs.
  for (int i = 0; i < 100; ++i) {
    k<<<1, 1>>>(thrust::raw_pointer_cast(a.data()));
    auto halves = thrust::make_transform_output_iterator(b.begin(), Half());
    thrust::copy(thrust::cuda::par.on(stream), a.begin(), a.end(), halves);  // expect-high [sync-in-loop]
  }
  // On the host alone.
  for (int i = 0; i < 100; ++i) {
    k<<<1, 1>>>(thrust::raw_pointer_cast(a.data()));
    thrust::copy(h.begin(), h.end(), g.begin());
    thrust::copy(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(100), h.begin());
  }
}
