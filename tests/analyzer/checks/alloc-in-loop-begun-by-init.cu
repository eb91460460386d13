// What the constructors' common init() sets is what an object begins with; a reset() that others call is not.
#include <cublas_v2.h>
#include <cuda_runtime.h>

__global__ void step(float* x, int n);

class Cluster {
 public:
  Cluster() { init(); }
  explicit Cluster(int) { init(); }
  void multiply(float* x) {
    if (!begun_) {
      begun_ = true;
      cublasCreate(&handle_);
    }
    if (!again_) {
      again_ = true;
      cublasCreate(&other_);  // expect-high [alloc-in-loop]
    }
    step<<<64, 256>>>(x, 64 * 256);
  }
  void reset() { again_ = false; }

 private:
  void init() {
    begun_ = false;
    again_ = false;
  }
  bool begun_, again_;
  cublasHandle_t handle_, other_;
};

int main(int count, char**) {
  float* x;
  cudaMalloc(&x, 1 << 20);
  Cluster cluster(count);
  for (int i = 0; i < 1000; ++i) {
    cluster.multiply(x);
    cluster.reset();
  }
}
