// A registry behind a function that returns a reference: what is stored through it is what is called later.
#include <cuda_runtime.h>
#include <functional>
#include <map>
#include <string>
#include <vector>

__global__ void step(float* x);

using Update = std::function<void(float*)>;

std::map<std::string, Update>& updates() {
  static std::map<std::string, Update> all;
  return all;
}
void sgd(float* x) {
  step<<<1, 256>>>(x);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
}
void adam(float* x) {
  step<<<1, 256>>>(x);
  cudaStreamSynchronize(0);  // expect-high [sync-in-loop]
}
void lion(float* x) {
  step<<<1, 256>>>(x);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
}
struct Register {
  Register(const char* name, Update update) { updates()[name] = update; }
};
static Register registered("sgd", sgd);

// A list behind a class's own function, filled through a variable that refers to it.
struct Hooks {
  std::vector<void (*)(float*)>& all() { return hooks_; }
  void run(float* x) {
    for (auto hook : hooks_) hook(x);
  }
  std::vector<void (*)(float*)> hooks_;
};
void after_step(float* x) {
  step<<<1, 256>>>(x);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
}
// In a registry that nobody calls from.
std::map<std::string, Update>& unused() {
  static std::map<std::string, Update> all;
  return all;
}
void set_up(float* x) {
  step<<<1, 256>>>(x);
  cudaDeviceSynchronize();
}

int main(int, char** arguments) {
  float* x;
  cudaMalloc(&x, 1024);
  updates()["adam"] = adam;
  updates().emplace("lion", lion);
  Hooks hooks;
  auto& list = hooks.all();
  list.push_back(after_step);
  set_up(x);
  for (int i = 0; i < 1000; ++i) {
    updates().at(arguments[1])(x);
    hooks.run(x);
  }
}
