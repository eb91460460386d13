// Loops near the line between a map over tensors and something else.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <utility>
#include <vector>

__global__ void axpy(float* y, const float* x, float a, int n);
__global__ void jacobi(float* out, const float* in, int n);
__global__ void head(float* out, const float* in, int h, int n);
__global__ void norm(const float* x, float* out, int n);
__global__ void adam(float* w, float* m, float* v, const float* g, int n);

struct Layer {
  float *w, *g, *m, *v, *out;
  int n;
};

// The optimizer's loop over parameters.
void optimizer_step(std::vector<Layer>& layers) {
  for (Layer& l : layers) adam<<<(l.n + 255) / 256, 256>>>(l.w, l.m, l.v, l.g, l.n);  // expect-high [per-tensor-loop]
}

// Four arrays at once, one by one.
void by_pointer_array(float** w, float** g, int count, int n) {
  for (int i = 0; i < count; ++i) {  // expect-high [per-tensor-loop]
    float* here = w[i];
    const float* grad = g[i];
    axpy<<<1, 256>>>(here, grad, -0.1f, n);
  }
}

// Backward through the layers: each takes the one after it.
void backward(std::vector<Layer>& layers, float* top) {
  float* delta = top;
  for (auto it = layers.rbegin(); it != layers.rend(); ++it) {
    jacobi<<<1, 256>>>(it->g, delta, it->n);
    delta = it->g;
  }
}

// A solver's iterations swap two buffers.
void iterations(float* a, float* b, int n, int iterations) {
  for (int i = 0; i < iterations; ++i) {
    jacobi<<<1, 256>>>(b, a, n);
    std::swap(a, b);
  }
}

// Ping-pong by parity.
void parity(float* buffers[2], int n, int iterations) {
  for (int i = 0; i < iterations; ++i) jacobi<<<1, 256>>>(buffers[(i + 1) % 2], buffers[i % 2], n);
}

// Streams: each launch goes to its own, on purpose.
void on_streams(std::vector<Layer>& layers, cudaStream_t* streams) {
  for (size_t i = 0; i < layers.size(); ++i) {
    axpy<<<1, 256, 0, streams[i % 4]>>>(layers[i].w, layers[i].g, 0.1f, layers[i].n);  // expect-high@-1 [per-tensor-loop]
  }
}

// Time steps: the output of one is the input of the next, by offset.
void time_steps(float* h, int n, int length) {
  for (int t = 1; t < length; ++t) jacobi<<<1, 256>>>(h + t * n, h + (t - 1) * n, n);
}

// Matrix products of one size each: a batched call exists, but that is another rule's advice.
void train(std::vector<Layer>& layers, float** w, float** g, float* top, cudaStream_t* streams, float* a, float* b, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    backward(layers, top);
    optimizer_step(layers);
    by_pointer_array(w, g, 10, n);
    iterations(a, b, n, 100);
    parity(w, n, 10);
    on_streams(layers, streams);
    time_steps(a, n, 100);
  }
}
