// Algorithms over numbers alone run on the device; a vector that is given elements of the host again copies them.
#include <cuda_runtime.h>
#include <thrust/device_vector.h>
#include <thrust/for_each.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform.h>

struct Halve {
  float* p;
  __host__ __device__ void operator()(int i) const { p[i] *= 0.5f; }
};
struct Square {
  __host__ __device__ float operator()(int i) const { return i * i; }
};

void train(thrust::device_vector<float>& v, std::vector<float>& h, thrust::host_vector<float>& squares, int steps) {
  for (int s = 0; s < steps; ++s) {
    v.assign(h.begin(), h.end());  // expect-high {{device_vector::assign}} [blocking-copy-in-loop]
    v.assign(1024, 0.0f);
    thrust::for_each(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(1024),  // expect-high [sync-in-loop]
                     Halve{thrust::raw_pointer_cast(v.data())});
    thrust::transform(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(1024), squares.begin(), Square{});
    float first = v[0];  // expect-high {{4 bytes}} [scalar-readback]
    h[s % h.size()] = first;
  }
}

int main() {
  thrust::device_vector<float> v(1024);
  std::vector<float> h(1024);
  thrust::host_vector<float> squares(1024);
  train(v, h, squares, 1000);
}
