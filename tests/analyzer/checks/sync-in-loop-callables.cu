// Callables that are bound or looked up by name: what a call of them runs.
#include <cuda_runtime.h>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

__global__ void k(float* x, int n);

struct Waiter {
  void wait_after(float* x) {
    k<<<1, 256>>>(x, 1);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    k<<<1, 256>>>(x, 1);
  }
  std::function<void(float*)> hook = std::bind(&Waiter::wait_after, this, std::placeholders::_1);
};

void bound(float* x, int n, int steps) {
  Waiter waiter;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    waiter.hook(x);
  }
}

void by_name(float* x, int n, int steps) {
  std::map<std::string, std::function<void()>> hooks;
  hooks["wait"] = [] { cudaDeviceSynchronize(); };
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    for (auto& [name, hook] : hooks) hook();  // expect-high [sync-in-loop]
  }
}

void looked_up(float* x, int n, int steps, const std::string& which) {
  std::unordered_map<std::string, std::function<void()>> hooks;
  hooks.emplace("wait", [] { cudaDeviceSynchronize(); });
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    hooks.at(which)();  // expect-high [sync-in-loop]
  }
}

void found(float* x, int n, int steps, const std::string& which) {
  std::unordered_map<std::string, std::function<void()>> hooks{{"wait", [] { cudaDeviceSynchronize(); }}};
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    auto it = hooks.find(which);
    if (it != hooks.end()) it->second();  // expect-high [sync-in-loop]
  }
}

void inserted(float* x, int n, int steps) {
  std::map<int, std::function<void()>> hooks;
  hooks.insert({3, [] { cudaDeviceSynchronize(); }});
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    for (const auto& entry : hooks) entry.second();  // expect-high [sync-in-loop]
  }
}

int made_by() {
  cudaDeviceSynchronize();
  return 1;
}

// Lists of other things, and of what functions return: nothing is kept there that could be called.
void plain_lists(float* x, int n, int steps) {
  const std::vector<std::string> names = {"a", "b"};
  const std::vector<std::vector<int>> sizes{{1, 2}, {made_by()}};
  std::map<std::string, std::vector<int>> table = {{"a", {1}}, {"b", {2, 3}}};
  for (int i = 0; i < steps; ++i) k<<<1, 256>>>(x, n + static_cast<int>(names.size() + sizes.size() + table.size()));
}

void listed(float* x, int n, int steps) {
  std::vector<std::function<void()>> hooks{[] { cudaDeviceSynchronize(); }};
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    for (auto& hook : hooks) hook();  // expect-high [sync-in-loop]
  }
}
