// The element of the loop says how, and one buffer of all of them is worked on: they run in turn.
#include <cuda_runtime.h>

#include <vector>

struct Context {
  float* x;
};

__global__ void dense(float* x) { x[threadIdx.x] += 1; }

struct Layer {
  void run(Context& context) const { dense<<<1, 256>>>(context.x); }
};

struct Own {
  float* weights;
  void run(Context&) const { dense<<<1, 256>>>(weights); }
};


int main() {
  Context context;
  cudaMalloc(&context.x, 1024);
  std::vector<Layer> layers(8);
  std::vector<Own> own(8);
  for (int step = 0; step < 1000; ++step) {
    for (auto& layer : layers) layer.run(context);
    for (auto& one : own) one.run(context);  // expect-high [per-tensor-loop]
  }
}
