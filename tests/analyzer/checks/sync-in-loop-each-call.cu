// A library: nobody in sight calls what it exports, so that what its functions do is told of each call. Set-up,
// tear-down, and what stands around a loop that trains are silent as everywhere.
#include <cuda_runtime.h>

__global__ void init(float* x, int n);
__global__ void forward(const float* x, float* y, int n);
__global__ void update(float* x, int n);

struct Net {
  float *weights, *scratch;
  float* layers[4];
  int size, capacity;
};

extern "C" void net_forward(Net* net, const float* x, float* y) {
  forward<<<1, 256>>>(x, y, net->size);
  cudaDeviceSynchronize();  // expect-medium {{at each call of 'net_forward', whose callers are outside the checked code}} [sync-in-loop]
}
extern "C" float net_loss(Net* net, const float* host) {
  float *x, loss;
  cudaMalloc(&x, 1024);                             // expect-medium [alloc-in-loop]
  cudaMemcpy(x, host, 1024, cudaMemcpyHostToDevice);  // expect-medium [blocking-copy-in-loop]
  forward<<<1, 256>>>(x, net->scratch, net->size);
  cudaMemcpy(&loss, net->scratch, sizeof loss, cudaMemcpyDeviceToHost);  // expect-medium [scalar-readback]
  cudaFree(x);
  return loss;
}

// A class whose methods a host program calls; what it hides is reached through them.
class Layer {
 public:
  Layer(float* x, int n) : x_(x), n_(n) {
    init<<<1, 256>>>(x_, n_);
    cudaDeviceSynchronize();
  }
  ~Layer() {
    update<<<1, 256>>>(x_, n_);
    cudaDeviceSynchronize();
  }
  virtual void step() { work(); }

 private:
  void work() {
    update<<<1, 256>>>(x_, n_);
    cudaDeviceSynchronize();  // expect-medium {{at each call of 'Layer::step'}} [sync-in-loop]
  }
  float* x_;
  int n_;
};

// Each launch of the loop works on what the loop picks: layers, no steps.
void through_layers(Net* net) {
  for (int i = 0; i < 4; ++i) update<<<1, 256>>>(net->layers[i], net->size);  // expect-medium [per-tensor-loop]
  cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
}
// A buffer that only grows is no set-up.
void grows(Net* net, const float* x) {
  if (net->size > net->capacity) {
    cudaFree(net->scratch);
    cudaMalloc(&net->scratch, net->size * sizeof(float));
    net->capacity = net->size;
  }
  forward<<<1, 256>>>(x, net->scratch, net->size);
  cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
}
// Rarer still within the call.
void gated(Net* net, int step) {
  update<<<1, 256>>>(net->weights, net->size);
  if (step % 1000 == 0) cudaDeviceSynchronize();  // expect-low [sync-in-loop]
}

// What is kept after the call would leak if it were called each step.
extern "C" void net_create(Net* net, int n) {
  cudaMalloc(&net->weights, n * sizeof(float));
  init<<<n / 256, 256>>>(net->weights, n);
  cudaDeviceSynchronize();
}
static float* device_array(int n) {
  float* x;
  cudaMalloc(&x, n * sizeof(float));
  return x;
}
extern "C" void net_create_by_helper(Net* net, int n) {
  net->weights = device_array(n);
  init<<<n / 256, 256>>>(net->weights, n);
  cudaDeviceSynchronize();
}
// What was kept is given back.
extern "C" void net_flush_and_free(Net* net) {
  update<<<1, 256>>>(net->weights, net->size);
  cudaDeviceSynchronize();
  cudaFree(net->weights);
}
// The training stands in its own loop.
extern "C" void net_train(Net* net, const float* host, int steps) {
  float* x;
  cudaMalloc(&x, 1024);
  cudaMemcpy(x, host, 1024, cudaMemcpyHostToDevice);
  for (int i = 0; i < steps; ++i) {
    forward<<<1, 256>>>(x, net->scratch, net->size);
    update<<<1, 256>>>(net->weights, net->size);
  }
  cudaDeviceSynchronize();
  cudaFree(x);
}
static void steps(Net* net, int n) {
  for (int i = 0; i < n; ++i) {
    update<<<1, 256>>>(net->weights, net->size);
    forward<<<1, 256>>>(net->weights, net->scratch, net->size);
  }
}
void trains_in_a_helper(Net* net, const float* host, int n) {
  cudaMemcpy(net->weights, host, 1024, cudaMemcpyHostToDevice);
  steps(net, n);
  cudaDeviceSynchronize();
}

// It waits, and that is all: whoever calls it says so.
void finish() { cudaDeviceSynchronize(); }
void download(float* host, const float* x) { cudaMemcpy(host, x, 1024, cudaMemcpyDeviceToHost); }
// Nobody can call it.
[[maybe_unused]] static void unused(Net* net) {
  update<<<1, 256>>>(net->weights, net->size);
  cudaDeviceSynchronize();
}
