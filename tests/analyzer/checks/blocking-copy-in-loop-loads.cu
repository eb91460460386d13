// requires: thrust/device_vector.h
// A library's class: what only sizes its memory and loads it is called before the steps; the step is told of each call.
#include <cuda_runtime.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>

#include <vector>

__global__ void step_kernel(float* weights, const int* batch, int n);

class Trainer {
 public:
  void load_model(const float* weights, int n) {
    weights_.resize(n);
    thrust::copy(weights, weights + n, weights_.begin());
    std::vector<int> zeros(n, 0);
    locks_.resize(n);
    thrust::copy(zeros.begin(), zeros.end(), locks_.begin());
    cudaDeviceSynchronize();
  }
  void feed(const int* batch, int n) {
    batch_.resize(n);
    thrust::copy(batch, batch + n, batch_.begin());  // expect-medium [blocking-copy-in-loop]
    step_kernel<<<(n + 255) / 256, 256>>>(thrust::raw_pointer_cast(weights_.data()),
                                          thrust::raw_pointer_cast(batch_.data()), n);
    cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
  }

 private:
  thrust::device_vector<float> weights_;
  thrust::device_vector<int> locks_, batch_;
};

void load(Trainer& trainer, const float* weights, int n) { trainer.load_model(weights, n); }
void feed(Trainer& trainer, const int* batch, int n) { trainer.feed(batch, n); }
