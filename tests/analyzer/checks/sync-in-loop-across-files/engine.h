#pragma once
#include <cuda_runtime.h>

struct Engine {
  cudaStream_t stream;
  float* weights;
  int n;
};

void engine_create(Engine* engine, int n);
void engine_step(Engine* engine);
void engine_finish(Engine* engine);
inline void engine_wait(const Engine& engine) { cudaStreamSynchronize(engine.stream); }
