// Of several ways to update a parameter one runs: how many launches an iteration makes is counted along it.
#include <cuda_runtime.h>

#include <vector>

struct Matrix {
  float* data;
  int* rows;
  int size;
};

__global__ void scale(float* x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}

__global__ void subtract(float* x, const float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] -= y[i];
}

__global__ void subtract_sparse(float* x, const float* y, const int* rows, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&x[rows[i]], -y[i]);
}

void subtract(Matrix* x, Matrix* y, bool sparse) {
  if (sparse)
    subtract_sparse<<<(x->size + 255) / 256, 256>>>(x->data, y->data, y->rows, x->size);
  else
    subtract<<<(x->size + 255) / 256, 256>>>(x->data, y->data, x->size);
}

void scale(Matrix* x, float by) { scale<<<(x->size + 255) / 256, 256>>>(x->data, by, x->size); }

enum class Method { kPlain, kMomentum, kDecay };

struct Network {
  std::vector<Matrix*> weights, gradients, momenta, biases, bias_gradients;
  Method method;
  bool sparse;

  void update() {
    for (size_t i = 0; i < gradients.size(); ++i) {  // expect-high [per-tensor-loop]
      if (method == Method::kPlain) {
        subtract(weights[i], gradients[i], sparse);
        subtract(biases[i], bias_gradients[i], sparse);
      } else if (method == Method::kMomentum) {
        scale(momenta[i], .9f);
        subtract(momenta[i], gradients[i], sparse);
        subtract(weights[i], momenta[i], sparse);
      } else if (method == Method::kDecay) {
        scale(weights[i], .999f);
        subtract(weights[i], gradients[i], sparse);
      }
    }
  }

  // All of them run for each: a step of its own.
  void update_in_turn() {
    for (size_t i = 0; i < gradients.size(); ++i) {
      subtract(weights[i], gradients[i], sparse);
      subtract(biases[i], bias_gradients[i], sparse);
      subtract(momenta[i], gradients[i], sparse);
      subtract(weights[i], momenta[i], sparse);
      subtract(weights[i], gradients[i], !sparse);
    }
  }
};

int main() {
  Network network;
  for (int step = 0; step < 1000; ++step) {
    network.update();
    network.update_in_turn();
  }
}
