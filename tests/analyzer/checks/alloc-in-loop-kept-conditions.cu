// A condition that is kept in a variable before it is asked tells what it tells where it is asked directly.
#include <cuda_runtime.h>

#include <vector>

__global__ void work(float* p, int n);

struct Layer {
  virtual int size() const = 0;
};

// The workspace fits until a size changes, and then it is made anew.
class Net {
 public:
  void train(float* x, int steps) {
    for (int s = 0; s < steps; ++s) {
      fit_workspace();
      work<<<1, 32>>>(x, 1);
    }
  }

 private:
  void fit_workspace() {
    const size_t needed = layers_.size();
    bool fits = needed == buffers_.size();
    if (fits) {
      for (size_t i = 0; i < needed; ++i) {
        if (sizes_[i] != layers_[i]->size()) {
          fits = false;
          break;
        }
      }
    }
    if (fits) return;
    for (float* buffer : buffers_) cudaFree(buffer);
    buffers_.resize(needed);
    sizes_.resize(needed);
    for (size_t i = 0; i < needed; ++i) {
      const int size = layers_[i]->size();
      cudaMalloc(&buffers_[i], size * sizeof(float));
      sizes_[i] = size;
    }
  }

  std::vector<Layer*> layers_;
  std::vector<float*> buffers_;
  std::vector<int> sizes_;
};

class Buffers {
 public:
  void train(float* x, const std::vector<int>& sizes, const std::vector<bool>& asked) {
    for (size_t s = 0; s < sizes.size(); ++s) {
      grow(sizes[s]);
      follow(sizes[s], sizes[0]);
      leave(sizes[s]);
      if_asked(sizes[s], asked[s]);
      work<<<1, 32>>>(x, sizes[s]);
    }
  }

 private:
  void grow(int need) {
    const bool grows = need > grown_to_;
    if (!grows) return;
    cudaFree(grown_);
    cudaMalloc(&grown_, need);
    grown_to_ = need;
  }
  void follow(int rows, int columns) {
    bool same = rows == rows_;
    same = same && columns == columns_;
    if (!same) {
      cudaFree(followed_);
      cudaMalloc(&followed_, rows * columns);
      rows_ = rows;
      columns_ = columns;
    }
  }
  // The branch does not store the size: it runs for every step of another size.
  void leave(int need) {
    const bool differs = need != left_at_;
    if (differs) {
      cudaFree(left_);
      cudaMalloc(&left_, need);  // expect-high [alloc-in-loop]
    }
  }
  // What is asked for comes again, whatever the branch does.
  void if_asked(int need, bool asked) {
    bool anew = need != asked_at_;
    if (asked) anew = true;
    if (anew) {
      cudaFree(asked_);
      cudaMalloc(&asked_, need);  // expect-high [alloc-in-loop]
      asked_at_ = need;
    }
  }

  float *grown_ = nullptr, *followed_ = nullptr, *left_ = nullptr, *asked_ = nullptr;
  int grown_to_ = 0, rows_ = 0, columns_ = 0, left_at_ = 0, asked_at_ = 0;
};
