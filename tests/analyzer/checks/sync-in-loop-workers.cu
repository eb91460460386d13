// A loop that fills a list with objects whose constructors use the GPU is set-up, whatever they do there.
#include <cuda_runtime.h>

#include <memory>
#include <vector>

__global__ void step_kernel(float* w);

class Worker {
 public:
  explicit Worker(float* weights) : weights_(weights) { prepare(); }
  void step() {
    step_kernel<<<64, 256>>>(weights_);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }

 private:
  void prepare() {
    step_kernel<<<64, 256>>>(weights_);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
  float* weights_;
};

// One at a time: each iteration throws its worker away.
void fresh_each_time(float* weights) {
  for (int step = 0; step < 1000; ++step) {
    std::vector<std::unique_ptr<Worker>> one;
    Worker worker(weights);
    worker.step();
  }
}

int main(int count, char**) {
  float* weights = nullptr;
  std::vector<std::unique_ptr<Worker>> workers;
  for (int i = 0; i < count; ++i) workers.push_back(std::make_unique<Worker>(weights));
  for (int step = 0; step < 1000; ++step) {
    workers.front()->step();
  }
  fresh_each_time(weights);
}
