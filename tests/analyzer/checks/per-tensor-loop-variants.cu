// Layers in a variant: each runs its own code on what the layer before has made, as behind a virtual call.
#include <cuda_runtime.h>

#include <variant>
#include <vector>

__global__ void product(float* x, const float* w, int n);
__global__ void rectify(float* x, int n);

struct Dense {
  float* w;
  void forward(float* x) { product<<<1, 256>>>(x, w, 256); }
};
struct Relu {
  void forward(float* x) { rectify<<<1, 256>>>(x, 256); }
};

struct Net {
  std::vector<std::variant<Dense, Relu>> layers;
  void forward(float* x) {
    for (auto& layer : layers) std::visit([&](auto& one) { one.forward(x); }, layer);
  }
};

void train(Net& net, float* x, int steps) {
  for (int i = 0; i < steps; ++i) {
    net.forward(x);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}
