// Registries that the initialisers of namespace variables fill.
#include <cuda_runtime.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

using Step = void (*)(float*);
using Hook = std::function<void(float*)>;
struct Job {
  Step run;
};

__global__ void train(float* x) { x[threadIdx.x] += 1; }

std::map<std::string, Hook>& hooks() {
  static std::map<std::string, Hook> all;
  return all;
}
std::vector<Job>& jobs() {
  static std::vector<Job> all;
  return all;
}

static void emplaced(float* x) {
  train<<<1, 256>>>(x);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
}
static void assigned(float* x) {
  train<<<1, 256>>>(x);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
}
static void listed(float* x) {
  train<<<1, 256>>>(x);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
}
static void in_a_struct(float* x) {
  train<<<1, 256>>>(x);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
}
static bool added = hooks().emplace("emplaced", emplaced).second;
static bool set = (hooks()["assigned"] = assigned, true);
static bool put = hooks().insert({"listed", listed}).second;
static int pushed = (jobs().push_back({in_a_struct}), 0);

int main() {
  float* x;
  cudaMalloc(&x, 4096);
  for (int i = 0; i < 1000; ++i) {
    for (auto& [name, hook] : hooks()) hook(x);
    for (auto& job : jobs()) job.run(x);
  }
}
