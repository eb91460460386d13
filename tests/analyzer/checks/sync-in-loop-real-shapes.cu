// Shapes of real trainers: a config of gates, a logger, an early stop, gradient accumulation, a reader in the loop.
#include <cuda_runtime.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#define cudaCheck(e)                                                                    \
  do {                                                                                  \
    cudaError_t r = (e);                                                                \
    if (r != cudaSuccess) {                                                             \
      std::cerr << __FILE__ << ":" << __LINE__ << ": " << cudaGetErrorString(r) << "\n"; \
      std::exit(1);                                                                     \
    }                                                                                   \
  } while (0)

__global__ void forward(float* act, const float* w, int n);
__global__ void backward(float* g, const float* act, int n);
__global__ void update(float* w, const float* g, int n);

struct Config {
  int val_every = 250, sample_every = 1000, save_every = 5000, log_every = 0;
  bool profile = false;
};

struct Model {
  float *w, *g, *act;
  float* loss_host;  // pinned
  float* loss_device;
  int n;
  cudaStream_t stream;
};

void model_init(Model* m, int n) {
  m->n = n;
  cudaCheck(cudaMalloc(&m->w, n * 4));
  cudaCheck(cudaMalloc(&m->g, n * 4));
  cudaCheck(cudaMalloc(&m->act, n * 4));
  cudaCheck(cudaMallocHost((void**)&m->loss_host, sizeof(float)));
  cudaCheck(cudaStreamCreate(&m->stream));
  float* initial = (float*)malloc(n * sizeof(float));
  for (int i = 0; i < n; ++i) initial[i] = 0.01f;
  cudaCheck(cudaMemcpy(m->w, initial, n * sizeof(float), cudaMemcpyHostToDevice));
  free(initial);
  cudaCheck(cudaDeviceSynchronize());
}

void model_step(Model* m) {
  forward<<<1, 256, 0, m->stream>>>(m->act, m->w, m->n);
  backward<<<1, 256, 0, m->stream>>>(m->g, m->act, m->n);
  cudaCheck(cudaGetLastError());
}

void model_save(const Model* m, const char* path) {
  std::vector<float> host(m->n);
  cudaCheck(cudaMemcpy(host.data(), m->w, m->n * sizeof(float), cudaMemcpyDeviceToHost));
  std::ofstream(path).write((const char*)host.data(), m->n * sizeof(float));
}

float validate(Model* m) {
  float total = 0;
  for (int i = 0; i < 20; ++i) {
    forward<<<1, 256, 0, m->stream>>>(m->act, m->w, m->n);
    // expect-low@+1 [scalar-readback]
    cudaCheck(cudaMemcpyAsync(m->loss_host, m->loss_device, sizeof(float), cudaMemcpyDeviceToHost, m->stream));
    cudaCheck(cudaStreamSynchronize(m->stream));
    total += *m->loss_host;
  }
  return total / 20;
}

int main(int argc, char** argv) {
  Config config;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (argv[i][1] == 'v') config.val_every = atoi(argv[i + 1]);
    if (argv[i][1] == 'p') config.profile = true;
  }
  Model model;
  model_init(&model, 1 << 20);
  float best = 1e30f;
  for (int step = 0; step <= 100000; ++step) {
    const bool last_step = step == 100000;
    if (step % config.val_every == 0 || last_step) {
      const float loss = validate(&model);
      if (loss < best) best = loss;
      printf("val %f\n", loss);
    }
    if (step > 0 && step % config.save_every == 0) model_save(&model, "model.bin");  // expect-low [blocking-copy-in-loop]
    if (last_step) break;
    for (int micro = 0; micro < 4; ++micro) model_step(&model);
    update<<<1, 256, 0, model.stream>>>(model.w, model.g, model.n);
    cudaCheck(cudaGetLastError());
    cudaCheck(cudaDeviceSynchronize());  // expect-high [sync-in-loop]
    if (config.log_every > 0 && step % config.log_every == 0) printf("step %d\n", step);
  }
  cudaCheck(cudaDeviceSynchronize());
  model_save(&model, "last.bin");
  cudaCheck(cudaFree(model.w));
  return best < 1 ? 0 : 1;
}
