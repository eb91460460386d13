// The index of the ring goes on between the record and the wait: what is waited for is an older step's event.
#include <cuda_runtime.h>

__global__ void step(float* x);

struct Throttle {
  cudaEvent_t events[3];
  int turn = 0;
  void tick() {
    cudaEventRecord(events[turn % 3]);
    ++turn;
    if (turn >= 3) cudaEventSynchronize(events[turn % 3]);
  }
  // The event of this step.
  void wait() {
    cudaEventRecord(events[turn % 3]);
    cudaEventSynchronize(events[turn % 3]);
    ++turn;
  }
};

int main() {
  float* x;
  cudaMalloc(&x, 1024);
  Throttle throttle, other;
  for (int i = 0; i < 1000; ++i) {
    step<<<1, 256>>>(x);
    throttle.tick();
  }
  for (int i = 0; i < 1000; ++i) {
    step<<<1, 256>>>(x);
    other.wait();  // expect-high [sync-in-loop]
  }
}
