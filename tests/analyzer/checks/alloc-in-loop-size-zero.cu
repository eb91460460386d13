// A buffer whose size is zero is made; afterwards its size is not zero any more.
#include <cuda_runtime.h>

__global__ void step(float* a, int n);

class Buffer {
 public:
  int size() const { return size_; }
  float* data() { return data_; }
  void allocate(int n) {
    if (size_ > 0) cudaFree(data_);
    size_ = n;
    // expect-high@+2 [alloc-in-loop]
    // expect-calls@+1 [alloc-in-loop] alloc-in-loop-size-zero.cu:53, alloc-in-loop-size-zero.cu:65
    cudaMalloc(reinterpret_cast<void**>(&data_), n * sizeof(float));
  }
  void grow(int n) {
    if (size_ >= n) return;
    cudaFree(data_);
    allocate(n);
  }
  void fill_up() { left = 8; }
  int left = 0;

 private:
  float* data_ = nullptr;
  int size_ = 0;
};

struct Tree {
  Buffer nodes, leaves, groups, queue;
  float* cells = nullptr;
  int cell_count = 0, n = 0;
};

void build(Tree& tree) {
  if (tree.nodes.size() > 0)
    tree.nodes.grow(tree.n);
  else
    tree.nodes.allocate(tree.n);
  if (tree.leaves.size() == 0) tree.leaves.allocate(tree.n);
  if (tree.cell_count < 1) {
    cudaMalloc(reinterpret_cast<void**>(&tree.cells), tree.n);
    tree.cell_count = tree.n;
  }
  step<<<1, 256>>>(tree.nodes.data(), tree.n);
}

// Another one's size does not change by this; a number that is counted down is zero again.
void build_each(Tree& tree) {
  if (tree.leaves.size() == 0) tree.groups.allocate(tree.n);
  if (tree.queue.left == 0) {
    tree.queue.allocate(tree.n);
    tree.queue.fill_up();
  }
  --tree.queue.left;
  step<<<1, 256>>>(tree.groups.data(), tree.n);
}

int main() {
  Tree tree;
  tree.n = 4096;
  for (int i = 0; i < 1000; ++i) {
    build(tree);
    build_each(tree);
  }
}
