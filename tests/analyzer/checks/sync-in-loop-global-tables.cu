// Functions without a name in what namespace scope holds: fields of an aggregate, elements of an array and of a map.
#include <cuda_runtime.h>

#include <functional>
#include <map>
#include <string>

__global__ void scale(float* x, int n);

struct Ops {
  void (*plain)(float*);
  std::function<void(float*)> held;
};

static const Ops ops = {[](float* x) {
                          scale<<<1, 256>>>(x, 8);
                          cudaDeviceSynchronize();  // expect-high [sync-in-loop]
                          scale<<<1, 256>>>(x, 8);
                        },
                        [](float* x) {
                          scale<<<1, 256>>>(x, 8);
                          cudaDeviceSynchronize();  // expect-high [sync-in-loop]
                          scale<<<1, 256>>>(x, 8);
                        }};

using Op = std::function<void(float*)>;
static Op table[] = {[](float* x) {
  scale<<<1, 256>>>(x, 8);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  scale<<<1, 256>>>(x, 8);
}};

static std::map<std::string, Op> named = {{"scale", [](float* x) {
                                             scale<<<1, 256>>>(x, 8);
                                             cudaDeviceSynchronize();  // expect-high [sync-in-loop]
                                             scale<<<1, 256>>>(x, 8);
                                           }}};


// Called before the loop alone.
struct Once {
  void (*run)(float*);
};
static const Once start = {[](float* x) {
  scale<<<1, 256>>>(x, 8);
  cudaDeviceSynchronize();
}};

int main() {
  float* x;
  cudaMalloc(&x, 1024);
  start.run(x);
  for (int i = 0; i < 1000; ++i) {
    scale<<<1, 256>>>(x, 3);
    ops.plain(x);
    ops.held(x);
    table[0](x);
    named["scale"](x);
  }
}
