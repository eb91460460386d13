// Thrust's algorithms wait for their stream before they return, whatever they give back, unless the policy says not to.
// requires: thrust/device_vector.h
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/transform.h>

struct Double {
  __host__ __device__ float operator()(float x) const { return x * 2; }
};

void on_the_gpu(thrust::device_vector<float>& v, float* raw, cudaStream_t s) {
  thrust::transform(v.begin(), v.end(), v.begin(), Double());                              // expect-high [sync-in-loop]
  thrust::transform(thrust::cuda::par.on(s), v.begin(), v.end(), v.begin(), Double());     // expect-high [sync-in-loop]
  thrust::transform(thrust::cuda::par_nosync.on(s), v.begin(), v.end(), v.begin(), Double());
  auto policy = thrust::cuda::par_nosync.on(s);
  thrust::transform(policy, v.begin(), v.end(), v.begin(), Double());
  auto p = thrust::device_pointer_cast(raw);
  thrust::transform(p, p + 10, p, Double());  // expect-high [sync-in-loop]
}

void on_the_host(thrust::host_vector<float>& v) { thrust::transform(v.begin(), v.end(), v.begin(), Double()); }

int main() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  thrust::device_vector<float> v(100);
  thrust::host_vector<float> h(100);
  for (int i = 0; i < 1000; ++i) {
    on_the_gpu(v, v.data().get(), s);
    on_the_host(h);
  }
}
