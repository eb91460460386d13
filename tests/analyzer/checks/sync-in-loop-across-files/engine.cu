#include "engine.h"

__global__ void forward(float* weights, int n);
__global__ void update(float* weights, int n);

void engine_create(Engine* engine, int n) {
  engine->n = n;
  cudaMalloc(&engine->weights, n * sizeof(float));
  cudaStreamCreate(&engine->stream);
  cudaStreamSynchronize(engine->stream);  // set-up
}

static void do_forward(Engine* engine) {
  forward<<<1, 256, 0, engine->stream>>>(engine->weights, engine->n);
  engine_wait(*engine);  // expect-high [sync-in-loop]
  // expect-path@-1 [sync-in-loop] train.cu:7, train.cu:8, engine.cu:20, engine.h:13
}

void engine_step(Engine* engine) {
  do_forward(engine);
  update<<<1, 256, 0, engine->stream>>>(engine->weights, engine->n);
}

void engine_finish(Engine* engine) {
  cudaStreamSynchronize(engine->stream);
  cudaFree(engine->weights);
}
