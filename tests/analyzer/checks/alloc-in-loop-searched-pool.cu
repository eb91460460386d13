// A pool that is searched with a flag, and first use that is asked for with the null pointer on the left.
#include <cuda_runtime.h>

#include <cstdlib>
#include <map>
#include <set>
#include <vector>

__global__ void k(float* x, int n);

struct Block {
  float* data = nullptr;
  int bytes = 0;
  bool taken = false;
};

class Erasing {
 public:
  float* take(int bytes) {
    bool found = false;
    Block block;
    for (auto it = free_.lower_bound(bytes); it != free_.end(); ++it) {
      if (it->second.bytes == bytes) {
        found = true;
        block = it->second;
        free_.erase(it);
        break;
      }
    }
    if (!found) cudaMalloc(&block.data, bytes);
    return block.data;
  }
  void give(float* p, int bytes) { free_.emplace(bytes, Block{p, bytes}); }

 private:
  std::multimap<int, Block> free_;
};

class Marking {
 public:
  float* take(int bytes) {
    int found = 0;
    float* p = nullptr;
    for (Block& block : blocks_) {
      if (!block.taken && block.bytes >= bytes) {
        block.taken = true;
        p = block.data;
        found = 1;
        break;
      }
    }
    if (!found) {
      cudaMalloc(&p, bytes);
      blocks_.push_back({p, bytes, true});
    }
    return p;
  }

 private:
  std::vector<Block> blocks_;
};

// Nothing is kept: what the search finds stays where it is, and each step that has no neighbour allocates.
class Looking {
 public:
  float* make(int id) {
    bool found = false;
    for (int other : ids_) {
      if (other == id) found = true;
    }
    float* p = nullptr;
    if (!found) cudaMalloc(&p, 1024);
    return p;
  }

 private:
  std::vector<int> ids_;
};

// What is taken out goes with the call.
float* from_local(int id) {
  std::set<int> left{1, 2, 3};
  bool found = false;
  for (int i = 0; i < 3; ++i) {
    if (i == id) {
      found = true;
      left.erase(i);
    }
  }
  float* p = nullptr;
  if (!found) cudaMalloc(&p, 1024);
  return p;
}

class Matrix {
 public:
  float* device() {
    if (NULL == data_) {
      if (cudaSuccess != cudaMalloc((void**)&data_, 1024)) exit(1);
    }
    return data_;
  }
  float* by_zero() {
    if (0 == other_) cudaMalloc(&other_, 1024);
    return other_;
  }
  // Made anew each time it is there.
  float* again() {
    if (NULL != data_) cudaMalloc(&spare_, 1024);
    return spare_;
  }

 private:
  float *data_ = NULL, *other_ = NULL, *spare_ = NULL;
};

int main() {
  Erasing erasing;
  Marking marking;
  Looking looking;
  Matrix matrix;
  for (int step = 0; step < 1000; ++step) {
    float* a = erasing.take(1024);
    float* b = marking.take(1024);
    float* c = looking.make(step);  // expect-high [alloc-in-loop]
    float* d = from_local(step);    // expect-high [alloc-in-loop]
    float* e = matrix.device();
    float* f = matrix.by_zero();
    float* g = matrix.again();  // expect-high [alloc-in-loop]
    k<<<1, 256>>>(a, 256);      // expect-high [per-tensor-loop]
    k<<<1, 256>>>(b, 256);
    k<<<1, 256>>>(c, 256);
    k<<<1, 256>>>(d, 256);
    k<<<1, 256>>>(e, 256);
    k<<<1, 256>>>(f, 256);
    k<<<1, 256>>>(g, 256);
    erasing.give(a, 1024);
  }
}
