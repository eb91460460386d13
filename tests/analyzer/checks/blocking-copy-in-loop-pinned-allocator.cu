// Thrust's allocator of pinned memory, whose header newer toolkits lack: the unit is read all the same.
#include <thrust/device_vector.h>
#include <thrust/system/cuda/experimental/pinned_allocator.h>

__global__ void step(float* x, int n);

using Pinned = thrust::host_vector<float, thrust::system::cuda::experimental::pinned_allocator<float>>;
using Same = thrust::host_vector<float, thrust::cuda::experimental::pinned_allocator<float>>;

void train(thrust::device_vector<float>& batch, int steps) {
  Pinned images(256);
  Same sums(16);
  for (int i = 0; i < steps; ++i) {
    cudaMemcpy(thrust::raw_pointer_cast(batch.data()), images.data(), 1024, cudaMemcpyHostToDevice);  // expect-high [blocking-copy-in-loop]
    step<<<1, 256>>>(thrust::raw_pointer_cast(batch.data()), 256);
    for (float& sum : sums) sum = 0;
  }
}
