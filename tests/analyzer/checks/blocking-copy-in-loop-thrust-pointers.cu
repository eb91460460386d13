// A pointer is host memory for Thrust, whatever is known of it, and the device's where an execution policy says so.
#include <cuda_runtime.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>

__global__ void step(float* x, int n);

void train(thrust::device_vector<float>& d, thrust::device_vector<float>& e, float* out, int n, int from, int steps) {
  float* raw = thrust::raw_pointer_cast(d.data());
  for (int i = 0; i < steps; ++i) {
    step<<<n, 256>>>(raw, n);
    thrust::copy(d.begin(), d.end(), out);             // expect-high {{from the GPU}} [blocking-copy-in-loop]
    thrust::copy(d.begin(), d.end(), from + out);      // expect-high {{from the GPU}} [blocking-copy-in-loop]
    thrust::copy(out, out + n, d.begin());             // expect-high {{to the GPU}} [blocking-copy-in-loop]
    thrust::copy(thrust::device, d.begin(), d.end(), e.begin());  // expect-high [sync-in-loop]
    thrust::copy(thrust::device, raw, raw + n, thrust::raw_pointer_cast(e.data()));  // expect-high [sync-in-loop]
    thrust::copy(thrust::cuda::par_nosync, d.begin(), d.end(), e.begin());
  }
}

void run(float* out, int n, int steps) {
  thrust::device_vector<float> d(n), e(n);
  train(d, e, out, n, 0, steps);
}

int main(int argc, char** argv) { run(reinterpret_cast<float*>(argv[argc]), 1024, 1000); }
