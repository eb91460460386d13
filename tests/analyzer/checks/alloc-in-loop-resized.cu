// Buffers that are made larger only where their size differs from what is needed.
#include <cuda_runtime.h>
#include <thrust/device_vector.h>

__global__ void step(float* x, int n);

struct Storage {
  void resize(int wanted) {
    if (wanted != data.size()) data.resize(wanted);
  }
  void grow(int wanted) {
    if (data.size() < wanted) data.resize(wanted);
  }
  // The size that is asked for is not the one that the branch gives.
  void renew(int wanted, int other) {
    if (wanted != data.size()) data = thrust::device_vector<float>(other);
  }
  float* raw() { return thrust::raw_pointer_cast(data.data()); }
  thrust::device_vector<float> data;
};

struct Net {
  Storage in, out, odd;
  void forward(int n) {
    in.resize(n);
    step<<<64, 128>>>(in.raw(), n);
    out.grow(n);
    step<<<64, 128>>>(out.raw(), n);
    odd.renew(n, 2 * n + 1);  // expect-high [alloc-in-loop]
    step<<<64, 128>>>(odd.raw(), n);
  }
};

void train(Net& net, int steps, int n) {
  for (int i = 0; i < steps; ++i) net.forward(n);
}

// A local vector has no size at the beginning of each step.
void made_each_step(int steps, int n) {
  for (int i = 0; i < steps; ++i) {
    thrust::device_vector<float> scratch;
    if (scratch.size() != n) scratch.resize(n);  // expect-high [alloc-in-loop]
    step<<<64, 128>>>(thrust::raw_pointer_cast(scratch.data()), n);
  }
}

// The size is a field of the buffer, which is replaced where it differs.
struct Matrix {
  float* data;
  int rows, cols;
};

Matrix* empty(int rows, int cols) {
  auto* out = new Matrix{nullptr, rows, cols};
  cudaMalloc(&out->data, rows * cols * sizeof(float));
  return out;
}

struct Layer {
  Matrix *in = nullptr, *out = nullptr, *spare = nullptr, *odd = nullptr;
  void forward() {
    if (!out) {
      out = empty(in->rows, in->cols);
    } else if (out->rows != in->rows) {
      cudaFree(out->data);
      delete out;
      out = empty(in->rows, in->cols);
    }
    if (in->rows != out->rows && (!spare || spare->rows != in->rows)) {
      if (spare) cudaFree(spare->data);
      spare = empty(in->rows, in->cols);
    }
    // What it is compared with is not what it becomes.
    if (odd->rows != in->rows) odd = empty(7, 7);  // expect-high [alloc-in-loop]
    step<<<64, 128>>>(out->data, out->rows);
  }
};

void train_layer(Layer& layer, int steps) {
  for (int i = 0; i < steps; ++i) layer.forward();
}
