// A function that calls itself repeats its work as a loop does. One that starts anew with other arguments, or tries
// again after an error, does not; nor does a list of layers that is a layer.
#include <cuda_runtime.h>
#include <functional>
#include <memory>
#include <vector>

__global__ void split(const float* x, int begin, int end, int* middle);
__global__ void add(float* x, int n);

void grow(const float* x, int* device, int begin, int end, int depth) {
  if (depth == 0) return;
  split<<<1, 256>>>(x, begin, end, device);
  int middle;
  cudaMemcpy(&middle, device, sizeof middle, cudaMemcpyDeviceToHost);  // expect-high {{'grow' calls itself}} [scalar-readback]
  grow(x, device, begin, middle, depth - 1);
  grow(x, device, middle, end, depth - 1);
}

// Children first, and what they gave is used.
struct Node {
  std::unique_ptr<Node> left, right;
  float* value;
};
float sum_tree(Node* node) {
  float left = 0, right = 0, sum;
  if (node->left) left = sum_tree(node->left.get());
  if (node->right) right = sum_tree(node->right.get());
  add<<<1, 256>>>(node->value, 256);
  cudaMemcpy(&sum, node->value, sizeof sum, cudaMemcpyDeviceToHost);  // expect-high [scalar-readback]
  return sum + left + right;
}

// Two functions in turn.
void odd(float* x, int n);
void even(float* x, int n) {
  add<<<1, 256>>>(x, n);
  if (n > 0) odd(x, n - 1);
}
void odd(float* x, int n) {
  float first;
  cudaMemcpy(&first, x, sizeof first, cudaMemcpyDeviceToHost);  // expect-high [branch-on-device]
  if (first > 0) even(x, n - 1);
}

// A lambda that calls itself by the name that it is kept under.
void by_lambda(float* x) {
  std::function<void(int)> halve = [&](int depth) {
    add<<<1, 256>>>(x, 256);
    float first;
    cudaMemcpy(&first, x, sizeof first, cudaMemcpyDeviceToHost);  // expect-high [scalar-readback]
    if (depth > 0) halve(depth - 1);
  };
  halve(10);
}

float norm(float* x, int n) {
  if (n % 256 != 0) return norm(x, n - n % 256);
  float result;
  add<<<1, 256>>>(x, n);
  cudaMemcpy(&result, x, sizeof result, cudaMemcpyDeviceToHost);
  return result;
}
bool launch(float* x, int n) {
  add<<<1, n>>>(x, n);
  float first;
  cudaMemcpy(&first, x, sizeof first, cudaMemcpyDeviceToHost);
  if (cudaGetLastError() != cudaSuccess) return launch(x, n / 2);
  return first > 0;
}

struct Layer {
  virtual ~Layer() = default;
  virtual float forward(float* x) = 0;
};
struct Dense : Layer {
  float forward(float* x) override {
    float first;
    add<<<1, 256>>>(x, 256);
    cudaMemcpy(&first, x, sizeof first, cudaMemcpyDeviceToHost);
    return first;
  }
};
struct Pair : Layer {
  Layer *first, *second;
  float forward(float* x) override { return first->forward(x) + second->forward(x); }
};

struct Tree {
  float *x, *split;
  void build(int begin, int end, int depth) {
    add<<<1, 256>>>(x, end - begin);
    float best;
    cudaMemcpy(&best, split, sizeof best, cudaMemcpyDeviceToHost);  // expect-high [scalar-readback]
    if (depth < 8) grow(begin, end, depth + 1);
  }
  void grow(int begin, int end, int depth) {
    const int middle = (begin + end) / 2;
    build(begin, middle, depth);
    build(middle, end, depth);
  }
};

int main() {
  Tree tree{};
  tree.build(0, 1 << 20, 0);
  float* x;
  int* device;
  cudaMalloc(&x, 1024);
  cudaMalloc(&device, sizeof(int));
  grow(x, device, 0, 1000, 8);
  Node root;
  sum_tree(&root);
  even(x, 8);
  by_lambda(x);
  norm(x, 1000);
  launch(x, 1024);
  Pair pair;
  pair.forward(x);
}
