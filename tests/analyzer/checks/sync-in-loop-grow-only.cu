// Buffers that only grow, made on the first use, wait in what seldom runs.
#include <cuda_runtime.h>
#include <memory>
#include <optional>
#include <vector>

__global__ void k(float* x, int n);

struct Workspace {
  float* data = nullptr;
  size_t bytes = 0;
  bool ready = false;
  void reserve(size_t wanted) {
    if (wanted <= bytes) return;
    cudaDeviceSynchronize();
    cudaFree(data);
    cudaMalloc(&data, wanted);
    bytes = wanted;
  }
  float* get(size_t wanted) {
    if (bytes < wanted) {
      cudaDeviceSynchronize();
      cudaFree(data);
      cudaMalloc(&data, wanted);
      bytes = wanted;
    }
    return data;
  }
};

class Arena {
 public:
  void enlarge(size_t wanted) {
    if (wanted <= size_) return;
    if (spare_) {
      cudaDeviceSynchronize();
      size_ = (wanted + 255) / 256 * 256;
      cudaDeviceSynchronize();
      return;
    }
    size_ = wanted;
  }

 private:
  size_t size_ = 0;
  float* spare_ = nullptr;
};

// Starts over where it has gone far enough: that is no growth.
void starts_over(float* x, int n, int steps, const std::vector<int>& sizes) {
  Arena arena;
  size_t at = 0;
  for (int i = 0; i < steps; ++i) {
    k<<<1, 256>>>(x, n);
    arena.enlarge(sizes[at]);
    k<<<1, 256>>>(x, n);
    ++at;
    if (at >= sizes.size()) {
      cudaDeviceSynchronize();  // expect-low [sync-in-loop]
      at = 0;
    }
    k<<<1, 256>>>(x, n);
  }
}

void run(std::vector<int>& sizes, int steps) {
  Workspace workspace;
  static float* table = NULL;
  for (int i = 0; i < steps; ++i) {
    workspace.reserve(sizes[i] * 4);
    k<<<1, 256>>>(workspace.get(sizes[i]), sizes[i]);
    if (!workspace.ready) {
      cudaDeviceSynchronize();
      workspace.ready = true;
    }
    if (i == 0) {
      cudaDeviceSynchronize();
    }
    if (table == NULL) {
      cudaMalloc(&table, 4);
      cudaDeviceSynchronize();
    }
  }
}

// Made for the first input and whenever the shape is another one. Operands joined by || are all followed.
struct Layer {
  const float* in = nullptr;
  float* out = nullptr;
  int batch = 0, width = 0, seen = 0;
  void forward(const float* x, int n, int w) {
    if (in == nullptr || batch != n || width != w) {
      in = x;
      batch = n;
      width = w;
      cudaFree(out);
      cudaMalloc(&out, 4 * n);
      cudaDeviceSynchronize();
    }
    k<<<1, 256>>>(out, n);
  }
  // The batch is never followed: it may differ in every step.
  void again(const float* x, int n) {
    if (in == nullptr || seen != n) {
      in = x;
      cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    }
    k<<<1, 256>>>(out, n);
  }
  // One of two reasons ends, and the other does not.
  void either(const float* x, int n, bool wanted) {
    if (in == nullptr || wanted) {
      in = x;
      cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    }
    k<<<1, 256>>>(out, n);
  }
};

struct Batch {
  int n;
};
struct Reader {
  const Batch* in = nullptr;
  int batch = 0;
  // Asked so that the other operand may read through the pointer.
  void forward(const Batch* x, float* out) {
    if (x == nullptr || batch != x->n) {
      in = x;
      batch = in->n;
      cudaDeviceSynchronize();
    }
    k<<<1, 256>>>(out, batch);
  }
  void backward(const Batch* x, float* out) {
    if (!x || batch != (*x).n) {
      batch = x->n;
      cudaDeviceSynchronize();
    }
    k<<<1, 256>>>(out, batch);
  }
  // A pointer that nobody reads through may be null in each step.
  void masked(const float* mask, float* out, int n) {
    if (mask == nullptr || batch != n) {
      batch = n;
      cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    }
    k<<<1, 256>>>(out, n);
  }
  // There and another batch than the last, which is never followed.
  void present(const Batch* x, float* out) {
    if (x != nullptr && batch != x->n) {
      cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    }
    k<<<1, 256>>>(out, batch);
  }
};
void reads(Reader& reader, const std::vector<Batch*>& batches, const float* mask, float* out, int steps) {
  for (int i = 0; i < steps; ++i) {
    reader.forward(batches[i], out);
    reader.backward(batches[i], out);
    reader.masked(mask, out, i);
    reader.present(batches[i], out);
  }
}

void shapes(Layer& layer, const float* x, const std::vector<int>& sizes, int steps, bool wanted) {
  for (int i = 0; i < steps; ++i) {
    layer.forward(x, sizes[i], sizes[0]);
    layer.again(x, sizes[i]);
    layer.either(x, sizes[i], wanted);
  }
}

// A constant that no signed number holds is a constant.
void unlimited(Layer& layer, const float* x, int n) {
  size_t limit = 0;
  limit = static_cast<size_t>(-1);
  if (limit != 0xFFFFFFFFFFFFFFFFull) cudaDeviceSynchronize();  // expect-medium [sync-in-loop]
  layer.forward(x, n, n);
}

// Counted anew in each call, and compared with a constant: nothing is there to follow.
void counted(float* x, const std::vector<int>& sizes) {
  int most = 0;
  for (int size : sizes) most = most < size ? size : most;
  if (most == 0) return;
  k<<<1, 256>>>(x, most);
  cudaDeviceSynchronize();  // expect-high [sync-in-loop]
}

void counts(float* x, const std::vector<int>& sizes, int steps) {
  for (int i = 0; i < steps; ++i) counted(x, sizes);
}

// Held by an object of the library's.
struct Held {
  std::unique_ptr<int> table;
  std::shared_ptr<int> shared;
  std::optional<int> size;
  int width = 0;
  void forward(float* x, int n) {
    if (!table) {
      table = std::make_unique<int>(n);
      cudaDeviceSynchronize();
    }
    if (shared == nullptr || width != n) {
      width = n;
      shared = std::make_shared<int>(n);
      cudaDeviceSynchronize();
    }
    if (!size) {
      size = n;
      cudaDeviceSynchronize();
    }
    k<<<1, 256>>>(x, n);
  }
  // Nobody fills it here: as empty in the next step.
  void without(float* x, int n) {
    k<<<1, 256>>>(x, n);
    if (!table) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
    if (shared == nullptr) cudaDeviceSynchronize();  // expect-high [sync-in-loop]
  }
};

void holds(Held& held, float* x, const std::vector<int>& sizes, int steps) {
  for (int i = 0; i < steps; ++i) {
    held.forward(x, sizes[i]);
    held.without(x, sizes[i]);
  }
}
