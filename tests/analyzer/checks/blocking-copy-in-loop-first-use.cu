// A library whose caller is out of sight: what its functions do only on first use is no loop of training, wherever the
// loop that does it stands.
#include <cuda_runtime.h>

__global__ void work(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}

struct Columns {
  int count;
  float** host;
  float** device;

  void to_device(int rows) {
    for (int i = 0; i < count; ++i) {
      cudaMemcpy(device[i], host[i], rows * sizeof(float), cudaMemcpyHostToDevice);
      work<<<1, 32>>>(device[i], rows);
    }
  }

  void each_time(int rows) {
    for (int i = 0; i < count; ++i) {
      cudaMemcpy(device[i], host[i], rows * sizeof(float), cudaMemcpyHostToDevice);  // expect-high [blocking-copy-in-loop]
      work<<<1, 32>>>(device[i], rows);
    }
  }
};

class Garden {
 public:
  void grow() {
    if (!ready_) {
      columns_->to_device(100);
      ready_ = true;
    }
    columns_->each_time(100);
    work<<<1, 32>>>(weights_, 32);
  }

  void grow_in_place() {
    if (!placed_) {
      for (int i = 0; i < columns_->count; ++i) {
        cudaMemcpy(columns_->device[i], columns_->host[i], 400, cudaMemcpyHostToDevice);
        work<<<1, 32>>>(columns_->device[i], 100);
      }
      placed_ = true;
    }
    work<<<1, 32>>>(weights_, 32);
  }

 private:
  bool ready_ = false, placed_ = false;
  Columns* columns_;
  float* weights_;
};

extern "C" void garden_grow(Garden* garden) {
  garden->grow();
  garden->grow_in_place();
}
