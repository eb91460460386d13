// Kernels of which only the declaration is in sight: what all iterations share may carry over from one to the next.
#include <cuda_runtime.h>

#include <vector>

__global__ void train(float* weights, const float* batch, int n);
__global__ void scale(float* x, float factor, int n);
__global__ void add(float* y, const float* x, const float* shared, int n);
__global__ void cell(const float* w, const float* x, float* y, int n);

void learns(float* weights, std::vector<float*>& inputs) {
  for (int step = 0; step < 1000; ++step)
    for (float* x : inputs) train<<<1, 256>>>(weights, x, 256);  // expect-medium [per-tensor-loop] expect-evidence [per-tensor-loop] {{whose body was not read}}
}
void learns_by_number(float* weights, float** inputs, int count) {
  for (int step = 0; step < 1000; ++step)
    for (int i = 0; i < count; ++i) train<<<1, 256>>>(weights, inputs[i], 256);  // expect-medium [per-tensor-loop]
}
void learn_one(float* weights, float* input) { train<<<1, 256>>>(weights, input, 256); }
void learns_by_function(float* weights, std::vector<float*>& inputs) {
  for (int step = 0; step < 1000; ++step)
    for (float* x : inputs) learn_one(weights, x);  // expect-medium [per-tensor-loop]
}

void scales(std::vector<float*>& tensors) {
  for (int step = 0; step < 1000; ++step)
    for (float* x : tensors) scale<<<1, 256>>>(x, .5f, 256);  // expect-high [per-tensor-loop]
}
void adds(std::vector<float*>& tensors, std::vector<float*>& gradients, const float* shared) {
  for (int step = 0; step < 1000; ++step)
    for (size_t i = 0; i < tensors.size(); ++i)  // expect-high [per-tensor-loop]
      add<<<1, 256>>>(tensors[i], gradients[i], shared, 256);
}

struct Block {
  float *w, *b;
  int n;
  void forward(float* x) { cell<<<1, 256>>>(w, x, x, n); }
  void shrink() { scale<<<1, 256>>>(w, .5f, n); }
};

void blocks(Block& a, Block& b, Block& c, Block& d, float* x) {
  for (int step = 0; step < 10000; ++step) {
    a.forward(x);
    b.forward(x);
    c.forward(x);
    d.forward(x);
    a.shrink();  // expect-high {{these 4 launches}} [per-tensor-loop]
    b.shrink();
    c.shrink();
    d.shrink();
  }
}

int main(int argc, char**) {
  std::vector<float*> inputs(8), gradients(8);
  float* memory;
  cudaMalloc(&memory, 1 << 20);
  for (float*& x : inputs) x = memory;
  learns(memory, inputs);
  learns_by_number(memory, inputs.data(), argc);
  learns_by_function(memory, inputs);
  scales(inputs);
  adds(inputs, gradients, memory);
  Block block{memory, memory, 256};
  blocks(block, block, block, block, memory);
}
