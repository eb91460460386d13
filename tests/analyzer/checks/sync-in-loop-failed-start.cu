// What follows `if (!log_file) return 1;` is the program, not its logging: a check that returns a failure is no mode.
// A flag is one, however the function returns.
#include <cuda_runtime.h>

#include <atomic>
#include <cstdio>
#include <fstream>
#include <vector>

__global__ void update(float* weights);

struct Set {
  bool load(const char* path);
};
struct Options {
  bool debug;
  bool verbose() const;
};
bool load_test_images(std::vector<float>& images);

void run(float* weights) {
  for (int i = 0; i < 1000; ++i) {
    update<<<1, 256>>>(weights);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

int with_file(float* weights) {
  std::FILE* log_file = std::fopen("loss.txt", "w");
  if (!log_file) return 1;
  run(weights);
  return 0;
}

int with_stream(float* weights) {
  std::ofstream log("loss.txt");
  if (!log.is_open()) return 1;
  run(weights);
  return 0;
}

bool with_sets(float* weights) {
  Set validation;
  if (!validation.load("images")) return false;
  std::vector<float> images;
  if (!load_test_images(images)) return false;
  run(weights);
  return true;
}

float* with_path(float* weights, const char* test_path) {
  if (!test_path) return nullptr;
  run(weights);
  return weights;
}

int look(float* weights, const Options& options) {
  if (!options.debug) return 1;
  update<<<1, 256>>>(weights);
  cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
  return 0;
}

bool look_closer(float* weights, const Options& options) {
  if (!options.verbose()) return false;
  update<<<1, 256>>>(weights);
  cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
  return true;
}

std::atomic<bool> verbose{false};

int look_by_atomic(float* weights) {
  if (!verbose) return 1;
  update<<<1, 256>>>(weights);
  cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
  return 0;
}

int main(int argc, char** argv) {
  float* weights;
  cudaMalloc(reinterpret_cast<void**>(&weights), 1024);
  const Options options{argc > 1};
  for (int i = 0; i < 1000; ++i) {
    update<<<1, 256>>>(weights);
    look(weights, options);
    look_by_atomic(weights);
    look_closer(weights, options);
  }
  return with_file(weights) + with_stream(weights) + with_sets(weights) + (with_path(weights, argv[0]) != nullptr);
}
