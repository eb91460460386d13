// Allocations that cost no step anything: made once, grown, pooled, or on the way out.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

__global__ void k(float* x, int n);

struct Workspace {
  float* data = nullptr;
  int capacity = 0;
  float* lazy = nullptr;
  float* get(int n) {
    if (n > capacity) {
      cudaFree(data);
      cudaMalloc(&data, n * sizeof(float));
      capacity = n;
    }
    return data;
  }
  void reserve(int n) {
    if (n <= capacity) return;
    if (data) cudaFree(data);
    cudaMalloc(&data, n * sizeof(float));
    capacity = n;
  }
  float* once(int n) {
    if (!lazy) cudaMalloc(&lazy, n * sizeof(float));
    return lazy;
  }
};

float* static_buffer(int n) {
  static float* kept = [n] {
    float* p;
    cudaMalloc(&p, n);
    return p;
  }();
  return kept;
}

void grown(Workspace& w, float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    w.reserve(n + i);
    k<<<1, 256>>>(w.get(n + i), n);
    k<<<1, 256>>>(w.once(n), n);
    k<<<1, 256>>>(static_buffer(n), n);
  }
}

void pooled(float* x, int n, int steps, cudaStream_t stream) {
  for (int i = 0; i < steps; ++i) {
    float* tmp;
    cudaMallocAsync(&tmp, n, stream);
    k<<<1, 256, 0, stream>>>(tmp, n);
    cudaFreeAsync(tmp, stream);
    cudaFree(0);
    cudaFree(nullptr);
  }
}

int device();

float* of_each_device(int n) {
  static int made[16] = {0};
  static float* kept[16];
  const int d = device();
  if (!made[d]) {
    cudaMalloc(&kept[d], n);
    made[d] = 1;
  }
  return kept[d];
}

void made_once_for_each_device(int n, int steps) {
  for (int i = 0; i < steps; ++i) k<<<1, 256>>>(of_each_device(n), n);
}

struct Model {
  float* weights;
  explicit Model(int n) {
    cudaMalloc(&weights, n * sizeof(float));
    k<<<1, 256>>>(weights, n);
  }
  ~Model() { cudaFree(weights); }
};

void made_before_the_loop(int n, int steps) {
  Model model(n);
  for (int i = 0; i < steps; ++i) k<<<1, 256>>>(model.weights, n);
}

void each_layer_its_own(std::vector<float*>& weights, int n) {
  for (size_t i = 0; i < weights.size(); ++i) {
    cudaMalloc(&weights[i], n);
    k<<<1, 256>>>(weights[i], n);
  }
}

float* make(int n) {
  float* p;
  cudaMalloc(&p, n);
  return p;
}

void each_layer_through_a_helper(float** weights, int layers, int n) {
  for (int i = 0; i < layers; ++i) {
    weights[i] = make(n);
    k<<<1, 256>>>(weights[i], n);
  }
}

struct Objective {
  float* label = nullptr;
  void init(int n) {
    if (label) cudaFree(label);
    cudaMalloc(&label, n);
    k<<<1, 256>>>(label, n);
  }
  void clear() { cudaFree(label); }
};

// Each object frees what it had and gets its own.
void set_up_each(std::vector<Objective*>& objectives, Objective* others, int n) {
  for (size_t i = 0; i < objectives.size(); ++i) {
    others[i].clear();
    k<<<1, 256>>>(others[i].label, n);
  }
}

struct Tree {
  float* data;
  explicit Tree(int n);
  ~Tree() { cudaFree(data); }
};

std::unique_ptr<Tree> grown_tree(float* x, int n) {
  std::unique_ptr<Tree> tree(new Tree(n));
  k<<<1, 256>>>(tree->data, n);
  return tree;
}
Tree* released_tree(float* x, int n) {
  std::unique_ptr<Tree> tree(new Tree(n)), other;
  k<<<1, 256>>>(tree->data, n);
  return tree.release();
}

void trees(std::vector<std::unique_ptr<Tree>>& forest, float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    forest.push_back(grown_tree(x, n));
    forest.emplace_back(released_tree(x, n));
  }
}

void errors(float* x, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    if (cudaGetLastError() != cudaSuccess) {
      cudaFree(x);
      exit(1);
    }
    FILE* file = fopen("batch", "r");
    if (!file) {
      cudaFree(x);
      abort();
    }
    if (i == steps / 2) {
      cudaFree(x);
      break;
    }
  }
  cudaFree(x);
}

// The host's own memory grows: the driver is not asked.
void grows(float* x, int n, int steps) {
  float* history = nullptr;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    history = static_cast<float*>(realloc(history, (i + 1) * sizeof(float)));
  }
}
