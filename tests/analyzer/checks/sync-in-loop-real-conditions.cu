// Conditions that look like error handling or lazy initialisation, and hold in every step; loops that look like none.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <vector>

__global__ void k(float* x, int n);

// As long as all goes well, all of it runs.
cudaError_t chained(float* host, float* x, int n, int steps, cudaStream_t s) {
  cudaError_t status = cudaSuccess;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256, 0, s>>>(x, n);
    status = cudaGetLastError();
    if (status == cudaSuccess) status = cudaMemcpy(host, x, 4 * n, cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop]
    if (!status) status = cudaStreamSynchronize(s);  // expect-high [sync-in-loop]
    if (status == cudaSuccess) {
      k<<<1, 256, 0, s>>>(x, n);
    } else {
      cudaDeviceSynchronize();
    }
    if (status != cudaSuccess) cudaDeviceSynchronize();
  }
  return status;
}

// A parameter that is null in one step is null in the next.
void launched(float* x, int n, cudaStream_t stream) {
  k<<<1, 256, 0, stream>>>(x, n);
  if (stream == nullptr) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
}
void launcher(float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) launched(x, n, nullptr);
}

// An option, whatever its name says.
struct Options {
  bool resize = true;
};
void optional(float* x, int n, int steps, const Options& options) {
  for (int i = 0; i < steps; ++i) {
    if (options.resize) {
      k<<<1, 256>>>(x, n);
      cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    }
  }
}
// These do make something once.
struct Layer {
  float* buffer = nullptr;
  bool initialized = false;
  void set_up(int n);
};
float* made(Layer& layer, int n);
void once(Layer& layer, float* x, int n, int steps, std::map<int, float*>& cache) {
  float* own = nullptr;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    if (!own) {
      cudaMalloc(&own, n);
      cudaDeviceSynchronize();
    }
    if (layer.buffer == nullptr) {
      made(layer, n);
      cudaDeviceSynchronize();
    }
    if (!layer.initialized) {
      layer.set_up(n);
      cudaDeviceSynchronize();  // expect-medium [sync-in-loop] expect-evidence [sync-in-loop] {{'initialized' in the name}}
    }
    auto found = cache.find(n);
    if (found == cache.end()) {
      cache[n] = x;
      cudaDeviceSynchronize();
    }
    if (cache.count(n + 1) == 0) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

// The library's loops are loops.
void by_algorithms(std::vector<float*>& batches, float* host, float* x, int n) {
  std::for_each(batches.begin(), batches.end(), [&](float* batch) {
    k<<<1, 256>>>(batch, n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  });
  std::accumulate(batches.begin(), batches.end(), 0.0f, [&](float sum, float* batch) {
    k<<<1, 256>>>(batch, n);
    cudaMemcpy(host, x, 4096, cudaMemcpyDeviceToHost);  // expect-high [blocking-copy-in-loop]
    return sum + host[0];
  });
}

// Steps that take the devices in turn.
void in_turn(float** x, float* host, int n, int steps, int count) {
  for (int i = 0; i < steps; ++i) {
    cudaSetDevice(i % count);
    k<<<1, 256>>>(x[0], n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
  for (int i = 0; i < steps; ++i) {
    const int device = i % count;
    cudaSetDevice(device);
    k<<<1, 256>>>(x[1], n);
    cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
}

// A loader whose iterator fetches.
struct Loader {
  struct Iterator {
    Loader* loader;
    int at;
    float* operator*() const {
      cudaMemcpy(loader->device, loader->host, 1 << 20, cudaMemcpyHostToDevice);
      return loader->device;
    }
    Iterator& operator++() {
      ++at;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return at != other.at; }
  };
  Iterator begin() { return {this, 0}; }
  Iterator end() { return {this, 1000}; }
  float* host;
  float* device;
};
void loaded(Loader& loader, int n) {
  for (float* batch : loader) k<<<1, 256>>>(batch, n);  // expect-high [blocking-copy-in-loop]
}
