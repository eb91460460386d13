// Hooks kept in a container and run every step.
#include <cuda_runtime.h>

#include <functional>
#include <vector>

__global__ void k(float* x);

struct Hooks {
  std::vector<std::function<void(int)>> after;
  void add(std::function<void(int)> hook) { after.push_back(std::move(hook)); }
  void run(int step) {
    for (auto& hook : after) hook(step);  // expect-high [sync-in-loop]
  }
};

void through_a_member(float* x, int steps) {
  Hooks hooks;
  hooks.add([](int) { cudaDeviceSynchronize(); });
  for (int i = 0; i < steps; ++i) {
    k<<<1, 1>>>(x);
    hooks.run(i);
  }
}

void kept_here(float* x, int steps, cudaStream_t stream) {
  std::vector<std::function<void(int)>> hooks;
  hooks.push_back([&](int) { cudaStreamSynchronize(stream); });
  for (int i = 0; i < steps; ++i) {
    k<<<1, 1, 0, stream>>>(x);
    hooks[0](i);  // expect-high [sync-in-loop]
  }
}

// Kept, and run once at the end.
void run_at_the_end(float* x, int steps) {
  std::vector<std::function<void()>> at_end;
  at_end.push_back([] { cudaDeviceSynchronize(); });
  for (int i = 0; i < steps; ++i) k<<<1, 1>>>(x);
  for (auto& f : at_end) f();
}
