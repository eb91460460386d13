// Fields that a class gives a function in its own body: no constructor need name them.
#include <cuda_runtime.h>

#include <functional>

__global__ void k(float* x, int n);

struct Layer {
  float* x;
  std::function<void()> forward = [this] {
    k<<<1, 256>>>(x, 256);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  };
};

void train_layer(Layer& layer) {
  for (int i = 0; i < 1000; ++i) layer.forward();
}

struct Solver {
  using Step = void (Solver::*)();
  void jacobi() {
    k<<<1, 256>>>(x, 256);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
  void run(int steps) {
    for (int i = 0; i < steps; ++i) (this->*step)();
  }
  float* x;
  Step step = &Solver::jacobi;
};

void solve(Solver& solver) { solver.run(1000); }
