// One launch a tensor, against loops that must launch in turn.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <map>
#include <string>
#include <vector>

__global__ void add_up(const float* x, int n, float* sum) {
  if (threadIdx.x < n) atomicAdd(sum, x[threadIdx.x]);
}
__global__ void scale(float* x, int n, float by);
__global__ void sgd(float* w, const float* g, int n, float rate);
__global__ void layer_forward(float* out, const float* in, const float* w, int n);
__global__ void chunk_kernel(float* x, int offset, int n);
__global__ void many(float** tensors, const int* sizes, int count);

struct Parameter {
  float *value, *grad;
  int n;
};

void launch_sgd(Parameter& p, float rate) { sgd<<<(p.n + 255) / 256, 256>>>(p.value, p.grad, p.n, rate); }

void maps(std::vector<Parameter>& parameters, std::map<std::string, Parameter>& named, float** tensors, int* sizes, int count,
          float* sum, int steps) {
  for (int step = 0; step < steps; ++step) {
    for (auto& p : parameters) add_up<<<1, 256>>>(p.grad, p.n, sum);  // expect-high {{for each element of 'parameters'}} [per-tensor-loop]
    for (size_t i = 0; i < parameters.size(); ++i) {                   // expect-high [per-tensor-loop]
      Parameter& p = parameters[i];
      sgd<<<1, 256>>>(p.value, p.grad, p.n, 0.1f);
    }
    for (int i = 0; i < count; ++i) scale<<<1, 256>>>(tensors[i], sizes[i], 0.5f);  // expect-high [per-tensor-loop]
    for (int i = 0; i < count; ++i) cudaMemsetAsync(tensors[i], 0, sizes[i] * sizeof(float));  // expect-high {{a memset}} [per-tensor-loop]
    for (auto& entry : named) launch_sgd(entry.second, 0.1f);          // expect-high [per-tensor-loop]
    for (auto& [name, p] : named) launch_sgd(p, 0.1f);                 // expect-high [per-tensor-loop]
    for (auto it = parameters.begin(); it != parameters.end(); ++it) { // expect-high [per-tensor-loop]
      sgd<<<1, 256>>>(it->value, it->grad, it->n, 0.1f);
    }
    for (auto it = parameters.begin(); it != parameters.end(); it += 1) // expect-high [per-tensor-loop]
      scale<<<1, 256>>>(it->value, it->n, 0.5f);
    many<<<128, 256>>>(tensors, sizes, count);
  }
}

// Sequential by nature: each layer reads what the one before it wrote.
void layers(float** activations, float** weights, int count, int n, int steps) {
  for (int step = 0; step < steps; ++step) {
    for (int l = 0; l < count; ++l) layer_forward<<<1, 256>>>(activations[l + 1], activations[l], weights[l], n);
    for (int l = count - 1; l >= 0; --l) layer_forward<<<1, 256>>>(activations[l], activations[l + 1], weights[l], n);
    float* in = activations[0];
    for (int l = 0; l < count; ++l) {
      layer_forward<<<1, 256>>>(activations[l], in, weights[l], n);
      in = activations[l];
    }
    for (int l = 0; l < count; l++) {
      const float* residual = l == 0 ? activations[0] : activations[1] + (l - 1) * n;
      layer_forward<<<1, 256>>>(activations[1] + l * n, residual, weights[0] + l * n * n, n);
    }
  }
}

// Chunks of one buffer, rounds over the same data, time steps of a solver.
void not_tensors(float* x, float* y, int n, int chunks, int rounds, int steps) {
  for (int step = 0; step < steps; ++step) {
    for (int round = 0; round < rounds; ++round) scale<<<1, 256>>>(x, n, 0.5f);
    for (int c = 0; c < chunks; ++c) chunk_kernel<<<1, 256>>>(x, c * n, n);
    for (int t = 0; t < 10; ++t) {
      scale<<<1, 256>>>(x, n, 0.5f);
      scale<<<1, 256>>>(y, n, 0.5f);
    }
  }
}

// Set-up: no loop that trains is around it.
void zero_all(std::vector<Parameter>& parameters) {
  for (auto& p : parameters) scale<<<1, 256>>>(p.value, p.n, 0.0f);
}

// The outermost loop over steps is the training loop, not a map, though it picks its batch by its index.
void steps_only(float* batches, float* x, int n, int steps) {
  for (int step = 0; step < steps; ++step) sgd<<<1, 256>>>(x, batches + step * n, n, 0.1f);
}

// Memsets alone are no layer, however many an iteration has.
struct Activations {
  float *a, *b, *c, *d, *e, *f, *g, *h, *i, *j, *k, *l, *m;
};
void zero_all(Activations* all, int count, int n, float* w, int steps) {
  for (int s = 0; s < steps; ++s) {
    for (int i = 0; i < count; ++i) {  // expect-high [per-tensor-loop]
      Activations* one = &all[i];
      cudaMemsetAsync(one->a, 0, n);
      cudaMemsetAsync(one->b, 0, n);
      cudaMemsetAsync(one->c, 0, n);
      cudaMemsetAsync(one->d, 0, n);
      cudaMemsetAsync(one->e, 0, n);
      cudaMemsetAsync(one->f, 0, n);
      cudaMemsetAsync(one->g, 0, n);
      cudaMemsetAsync(one->h, 0, n);
      cudaMemsetAsync(one->i, 0, n);
      cudaMemsetAsync(one->j, 0, n);
      cudaMemsetAsync(one->k, 0, n);
      cudaMemsetAsync(one->l, 0, n);
      cudaMemsetAsync(one->m, 0, n);
    }
    scale<<<64, 256>>>(w, n, 0.5f);
  }
}
