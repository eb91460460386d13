// A loop that makes objects which keep GPU memory builds a network: what their constructors wait for is set-up.
#include <cuda_runtime.h>
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <memory>
#include <vector>

__global__ void fill(float* x, int n);
__global__ void step(float* x, int n);

// Frees what it needs meanwhile, and keeps the weights.
struct Dense {
  float* weights = nullptr;
  int n;
  explicit Dense(int count) : n(count) {
    cudaMalloc(&weights, 4 * n);
    float* noise = nullptr;
    cudaMalloc(&noise, 4 * n);
    fill<<<1, 256>>>(noise, n);
    fill<<<1, 256>>>(weights, n);
    cudaDeviceSynchronize();
    cudaFree(noise);
  }
};
struct Base {
  float* starts = nullptr;
  void initialise(int n) {
    cudaMalloc(&starts, 4 * n);
    fill<<<1, 256>>>(starts, n);
    cudaDeviceSynchronize();
  }
};
struct Neurons : Base {
  explicit Neurons(int n) { initialise(n); }
};

std::vector<Dense*> build(const std::vector<int>& sizes) {
  std::vector<Dense*> layers;
  for (int i = 0; i < static_cast<int>(sizes.size()); ++i) {
    Dense* layer = new Dense(sizes[i]);
    layers.push_back(layer);
  }
  return layers;
}
void build_neurons(Neurons** to, int count) {
  for (int i = 0; i < count; ++i) to[i] = new Neurons(i);
}
void build_owned(std::vector<std::unique_ptr<Dense>>& to, int count) {
  for (int i = 0; i < count; ++i) to.push_back(std::make_unique<Dense>(i));
}

// Held by containers, which are moved into the network.
struct Linear {
  thrust::device_vector<float> weights;
  Linear() = default;
  explicit Linear(int n) : weights(n) {
    thrust::fill(weights.begin(), weights.end(), 0.5f);
    cudaDeviceSynchronize();
  }
};
struct Network {
  std::vector<Linear> layers;
  explicit Network(int count) : layers(count) {
    for (int i = 0; i < count; ++i) layers[i] = Linear(256);
  }
};
void append(std::vector<Linear>& layers, int count) {
  for (int i = 0; i < count; ++i) layers.emplace_back(256);
}

// The look-alikes give back in each iteration what their constructors make.
struct Scratch {
  float* x = nullptr;
  explicit Scratch(int n) {
    cudaMalloc(&x, 4 * n);
    fill<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();   // expect-high [sync-in-loop]
  }
  ~Scratch() { cudaFree(x); }
};
void with_scratch(int steps) {
  for (int i = 0; i < steps; ++i) {
    Scratch scratch(256);  // expect-high [alloc-in-loop]
  }
}
struct Held {
  thrust::device_vector<float> x;
  explicit Held(int n) : x(n) {
    fill<<<1, 256>>>(thrust::raw_pointer_cast(x.data()), n);
    cudaDeviceSynchronize();   // expect-high [sync-in-loop]
  }
};
void with_held(int steps) {
  for (int i = 0; i < steps; ++i) {
    Held held(256);  // expect-high [alloc-in-loop]
  }
}
// What the constructor makes is used up in it: nothing is built.
struct Step {
  explicit Step(float* x, int n) {
    float* noise = nullptr;
    cudaMalloc(&noise, 4 * n);
    step<<<1, 256>>>(x, n);
    cudaDeviceSynchronize();   // expect-high [sync-in-loop]
    cudaFree(noise);
  }
};
void with_steps(float* x, int steps) {
  for (int i = 0; i < steps; ++i) new Step(x, i);  // expect-high [alloc-in-loop]
}
// Builds and trains in one loop.
struct Grown {
  float* weights = nullptr;
  explicit Grown(int n) {
    cudaMalloc(&weights, 4 * n);
    fill<<<1, 256>>>(weights, n);
    cudaDeviceSynchronize();   // expect-high [sync-in-loop]
  }
};
void grows(float* x, std::vector<Grown*>& layers, int steps) {
  for (int i = 0; i < steps; ++i) {
    layers.push_back(new Grown(i));  // expect-high [alloc-in-loop]
    step<<<1, 256>>>(x, i);
    cudaDeviceSynchronize();   // expect-high [sync-in-loop]
  }
}
