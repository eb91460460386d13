// A list whose elements are independent is a collection like any other; a network's layers that read each other's
// outputs are none.
#include <cuda_runtime.h>

__global__ void decay(float* w, const float* g, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) w[i] -= 0.1f * g[i];
}
__global__ void forward(float* out, const float* in, const float* w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * w[i];
}
struct Layer {
  float *w, *g, *in, *out;
  int n;
  Layer *next, *previous;
};
void update(Layer* first) {
  for (Layer* l = first; l != nullptr; l = l->next) decay<<<64, 256>>>(l->w, l->g, l->n);  // expect-high [per-tensor-loop]
}
void update_again(Layer* l) {
  while (l) {  // expect-high [per-tensor-loop]
    decay<<<64, 256>>>(l->w, l->g, l->n);
    l = l->next;
  }
}
void run(Layer* first, float* x) {
  for (Layer* l = first; l; l = l->next) {
    forward<<<64, 256>>>(l->out, x, l->w, l->n);
    x = l->out;
  }
  for (Layer* l = first; l; l = l->next) {
    const float* in = l->previous ? l->previous->out : l->in;
    forward<<<64, 256>>>(l->out, in, l->w, l->n);
  }
}

void train(Layer* first, float* x, int steps) {
  for (int step = 0; step < steps; ++step) {
    run(first, x);
    update(first);
    update_again(first);
  }
}
