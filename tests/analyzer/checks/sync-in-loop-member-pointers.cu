// A call through a pointer to member names no method: the unit is read, and what is beside it is told.
#include <cuda_runtime.h>

__global__ void scale(float* a) { a[threadIdx.x] *= 2.f; }

struct Task {
  void (Task::*next)();
  float* d;
  void idle() {}
  void run() { (this->*next)(); }
};

int main() {
  Task task{&Task::idle, nullptr};
  cudaMalloc(&task.d, 1024);
  for (int i = 0; i < 1000; ++i) {
    scale<<<1, 256>>>(task.d);
    (task.*task.next)();
    task.run();
    cudaDeviceSynchronize();  // expect-high {{}} [sync-in-loop]
  }
  cudaFree(task.d);
}
