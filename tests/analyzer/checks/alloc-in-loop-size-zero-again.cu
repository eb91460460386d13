// A size that is made zero again, or that is another object's each time, is asked for in vain.
#include <cuda_runtime.h>

#include <utility>
#include <vector>

__global__ void step(float* a, int n);

class Buffer {
 public:
  int size() const { return size_; }
  float* data() { return data_; }
  void allocate(int n) {
    if (size_ > 0) cudaFree(data_);
    size_ = n;
    // expect-high@+2 [alloc-in-loop]
    // expect-calls@+1 [alloc-in-loop] alloc-in-loop-size-zero-again.cu:43, alloc-in-loop-size-zero-again.cu:76, alloc-in-loop-size-zero-again.cu:78
    cudaMalloc(reinterpret_cast<void**>(&data_), n * sizeof(float));
  }

 private:
  float* data_ = nullptr;
  int size_ = 0;
};

struct Tree {
  Buffer replaced, kept;
  float *cells = nullptr, *rows = nullptr;
  int cell_count = 0, row_count = 0, n = 0;
  void drop_rows() {
    cudaFree(rows);
    row_count = 0;
  }
};

void build(Tree& tree, std::vector<Buffer>& list) {
  if (tree.replaced.size() == 0) tree.replaced.allocate(tree.n);
  step<<<1, 256>>>(tree.replaced.data(), tree.n);
  Buffer other;
  std::swap(tree.replaced, other);

  Buffer& fresh = list.emplace_back();
  if (fresh.size() == 0) fresh.allocate(tree.n);
  step<<<1, 256>>>(fresh.data(), tree.n);

  if (tree.kept.size() == 0) tree.kept.allocate(tree.n);
}

void build_rows(Tree& tree) {
  if (tree.row_count == 0) {
    cudaMalloc(reinterpret_cast<void**>(&tree.rows), tree.n);  // expect-high [alloc-in-loop]
    tree.row_count = tree.n;
  }
  step<<<1, 256>>>(tree.rows, tree.n);
  tree.drop_rows();  // expect-high [alloc-in-loop]
}

// Another object in each step: its size is zero whenever it is asked for.
struct Scratch {
  Buffer rows;
};
void prepare(Scratch& scratch) {
  if (scratch.rows.size() == 0) scratch.rows.allocate(4096);
  step<<<1, 256>>>(scratch.rows.data(), 4096);
}
void with_scratch() {
  Scratch scratch;
  prepare(scratch);
}

int main() {
  Tree tree;
  tree.n = 4096;
  std::vector<Buffer> list;
  for (int i = 0; i < 1000; ++i) {
    build(tree, list);
    build_rows(tree);
    with_scratch();
  }
}
