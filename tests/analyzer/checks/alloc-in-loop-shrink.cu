// shrink_to_fit() of a vector that nobody made smaller does nothing; after a clear() it frees, and the next resize()
// allocates.
#include <thrust/device_vector.h>

__global__ void rows(const float* x, float* sums, int n);

void sums(const float* x, int n) {
  thrust::device_vector<float> sums(n, 0.0f);  // expect-high [alloc-in-loop]
  rows<<<64, 256>>>(x, thrust::raw_pointer_cast(sums.data()), n);
  sums.empty();
  sums.shrink_to_fit();
}

void again(const float* x, int n, thrust::device_vector<float>& kept) {
  kept.resize(n);
  rows<<<64, 256>>>(x, thrust::raw_pointer_cast(kept.data()), n);
  kept.clear();
  kept.shrink_to_fit();  // expect-high [alloc-in-loop]
}

int main() {
  thrust::device_vector<float> x(1 << 20), kept;
  for (int step = 0; step < 1000; ++step) {
    sums(thrust::raw_pointer_cast(x.data()), 1024);
    again(thrust::raw_pointer_cast(x.data()), 1024, kept);
  }
}
