// Functions without callers in sight. One makes the object that the others work on, which holds what was allocated: it
// runs once for each object. One allocates, computes and frees in each of its calls.
#include <cuda_runtime.h>

#include <utility>

__global__ void sum_up(int* offsets, int n) {
  for (int i = 1; i < n; ++i) offsets[i] += offsets[i - 1];
}

__global__ void count_edges(const int* offsets, int* count, int n) {
  if (threadIdx.x == 0) *count = offsets[n - 1];
}

class Graph {
 public:
  static Graph over(int* offsets, int n) {
    sum_up<<<1, 1>>>(offsets, n);
    cudaDeviceSynchronize();
    return Graph(offsets, n);
  }
  int* offsets() const { return offsets_; }
  int size() const { return size_; }

 private:
  Graph(int* offsets, int n) : offsets_(offsets), size_(n) {}
  int* offsets_;
  int size_;
};

class Sampler {
 public:
  Sampler(Graph graph, int device) : graph_(std::move(graph)), device_(device) {}
  const Graph& graph() const { return graph_; }

 private:
  Graph graph_;
  int device_;
};

Sampler sampler_over(const int* degrees, int n) {
  int* chosen = nullptr;
  {
    int* copy;
    cudaMalloc(&copy, n * sizeof(int));
    cudaMemcpy(copy, degrees, n * sizeof(int), cudaMemcpyHostToDevice);
    chosen = copy;
  }
  Graph graph = Graph::over(chosen, n);
  return Sampler(std::move(graph), 0);
}

int edges_of(const Sampler& sampler) {
  int* count;
  int out;
  cudaMalloc(&count, sizeof(int));  // expect-medium {{at each call of 'edges_of'}} [alloc-in-loop]
  count_edges<<<1, 32>>>(sampler.graph().offsets(), count, sampler.graph().size());
  cudaMemcpy(&out, count, sizeof(int), cudaMemcpyDeviceToHost);  // expect-medium {{at each call of 'edges_of'}} [scalar-readback]
  cudaFree(count);
  return out;
}
