// A loop that hands its index on: what the called function launches works on the element that the index picks.
#include <cuda_runtime.h>
#include <vector>

__global__ void sgd(float* w, const float* g, int n);
__global__ void dense(const float* w, float* x, int n);

struct Layer {
  float *w, *g;
  int n;
};

class Net {
 public:
  void update_layer(int i) { sgd<<<layers_[i].n / 256, 256>>>(layers_[i].w, layers_[i].g, layers_[i].n); }
  void update() {
    for (size_t i = 0; i < layers_.size(); ++i) update_layer(i);  // expect-high [per-tensor-loop]
  }
  // Through a reference to the element.
  void decay_one(int i) {
    Layer& layer = layers_[i];
    sgd<<<layer.n / 256, 256>>>(layer.w, layer.w, layer.n);
  }
  void decay() {
    for (size_t i = 0; i < layers_.size(); ++i) decay_one(i);  // expect-high [per-tensor-loop]
  }
  // Each layer goes on from what the one before left in one place.
  void apply_one(int i) { dense<<<1, 256>>>(layers_[i].w, activations_, layers_[i].n); }
  void apply() {
    for (size_t i = 0; i < layers_.size(); ++i) apply_one(i);
  }
  // Or in its neighbour.
  void chain_one(int i) { dense<<<1, 256>>>(layers_[i - 1].w, layers_[i].g, layers_[i].n); }
  void chain() {
    for (size_t i = 1; i < layers_.size(); ++i) chain_one(i);
  }
  // The index is a seed, not a place.
  void shake(int seed) { sgd<<<1, 256>>>(activations_, layers_[0].g, seed); }
  void shake_all() {
    for (int i = 0; i < 64; ++i) shake(i);
  }

 private:
  std::vector<Layer> layers_;
  float* activations_;
};

int main() {
  Net net;
  for (int i = 0; i < 1000; ++i) {
    net.apply();
    net.chain();
    net.update();
    net.decay();
    net.shake_all();
  }
}
