// Written for a release of Thrust of which device_vector.h included more: the headers of what it names are found.
// requires: thrust/device_vector.h
#include <cuda_runtime.h>
#include <thrust/device_vector.h>

__global__ void step(float* x, int n);

template <class T>
void download(thrust::host_vector<T>& to, thrust::device_vector<T>& from, cudaStream_t stream) {
  cudaMemcpyAsync(thrust::raw_pointer_cast(to.data()), thrust::raw_pointer_cast(from.data()),
                  sizeof(T) * from.size(), cudaMemcpyDeviceToHost, stream);
}

void train(thrust::device_vector<float>& x, int steps, cudaStream_t stream) {
  thrust::host_vector<float> host(x.size());
  for (int i = 0; i < steps; ++i) {
    step<<<64, 256, 0, stream>>>(thrust::raw_pointer_cast(x.data()), (int)x.size());
    download(host, x, stream);         // expect-high [pageable-async-copy]
    thrust::sort(x.begin(), x.end());  // expect-high [sync-in-loop]
  }
}
