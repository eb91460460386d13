// A branch on a member that constructors begin: off where every constructor's call leaves it off.
#include <cuda_runtime.h>

#include <cstdio>
#include <memory>
#include <string>

__global__ void step(float* weights) { weights[threadIdx.x] -= 0.1f; }

float first_of(const float* weights) {
  float first = 0;
  cudaMemcpy(&first, weights, sizeof first, cudaMemcpyDeviceToHost);
  return first;
}

class Loss {
 public:
  explicit Loss(std::string name, bool chatty = false) : name_(name), chatty_(chatty) {}
  void forward(float* weights) {
    step<<<1, 256>>>(weights);
    if (chatty_) printf("%f\n", first_of(weights));
  }

 private:
  std::string name_;
  bool chatty_;
};

class Layer {
 public:
  explicit Layer(bool chatty = false) : chatty_(chatty) {}
  void forward(float* weights) {
    step<<<1, 256>>>(weights);
    if (chatty_) printf("%f\n", first_of(weights));
  }

 private:
  bool chatty_;
};

class Optimizer {
 public:
  Optimizer() {}
  void listen() { chatty_ = true; }
  void update(float* weights) {
    step<<<1, 256>>>(weights);
    if (chatty_) printf("%f\n", first_of(weights));  // expect-high [scalar-readback]
  }

 private:
  bool chatty_ = false;
};

class Sampler {
 public:
  Sampler() {}  // no parameter: code that is not read may set the member
  void draw(float* weights) {
    step<<<1, 256>>>(weights);
    if (chatty_) printf("%f\n", first_of(weights));  // expect-high [scalar-readback]
  }

 private:
  bool chatty_ = false;
};

struct Options {
  bool chatty = false;
};

void observe(const Options& options, float* weights) {
  if (options.chatty) printf("%f\n", first_of(weights));
}

int main(int argc, char** argv) {
  float* weights;
  cudaMalloc(&weights, 256 * sizeof(float));
  Loss loss("mean");
  auto other = std::make_unique<Loss>("sum");
  Loss* third = new Loss("none", false);
  Layer quiet, told(argc > 1);
  Optimizer optimizer;
  Sampler sampler;
  const Options options{true};
  for (int i = 0; i < 1000; ++i) {
    quiet.forward(weights);  // expect-high [scalar-readback]
    told.forward(weights);  // expect-high [scalar-readback]
    loss.forward(weights);  // expect-low [scalar-readback]
    other->forward(weights);  // expect-low [scalar-readback]
    third->forward(weights);  // expect-low [scalar-readback]
    optimizer.update(weights);
    sampler.draw(weights);
    observe(options, weights);  // expect-high [scalar-readback]
  }
}
