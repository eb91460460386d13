// main() feeds the GPU in no loop: a framework calls the overriders, and the callbacks that it was given.
#include <cuda_runtime.h>
#include <cstdlib>
#include <functional>

__global__ void step(float* x, int n);

namespace framework {
struct Application {
  virtual ~Application();
  virtual void frame();
  void run();
};
void on_timer(void (*callback)(int), int interval);
void on_idle(std::function<void()> callback);
}  // namespace framework

float* x;

struct Trainer : framework::Application {
  void frame() override {
    step<<<1, 256>>>(x, 256);
    cudaDeviceSynchronize();  // expect-medium {{at each call of 'Trainer::frame'}} [sync-in-loop]
  }
};

void tick(int) {
  step<<<1, 256>>>(x, 256);
  cudaDeviceSynchronize();  // expect-medium {{at each call of 'tick'}} [sync-in-loop]
}
// The C library calls it once.
void at_end() {
  step<<<1, 256>>>(x, 256);
  cudaDeviceSynchronize();
}
// Nobody has its address.
void left_over() {
  step<<<1, 256>>>(x, 256);
  cudaDeviceSynchronize();
}

int main() {
  cudaMalloc(&x, 1024);
  std::atexit(at_end);
  framework::on_timer(tick, 10);
  framework::on_idle([] {
    step<<<1, 256>>>(x, 256);
    cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
  });
  Trainer().run();
}
