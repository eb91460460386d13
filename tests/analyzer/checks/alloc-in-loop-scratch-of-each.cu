// requires: thrust/device_vector.h
// One call for each element, which allocates scratch memory and frees it again: no set-up of the element.
#include <cuda_runtime.h>
#include <thrust/device_vector.h>

#include <memory>
#include <vector>

__global__ void factor(float* matrix, int* info, int n);

class Model {
 public:
  explicit Model(int n) : matrix_(n * n), n_(n) {}
  void fit() {
    thrust::device_vector<int> info(1);  // expect-high [alloc-in-loop]
    factor<<<1, 256>>>(thrust::raw_pointer_cast(matrix_.data()), thrust::raw_pointer_cast(info.data()), n_);
  }
  // What is kept is the element's: it is set up once.
  void prepare() { cudaMalloc(&kept_, n_ * sizeof(float)); }

 private:
  thrust::device_vector<float> matrix_;
  float* kept_ = nullptr;
  int n_;
};

void fit_all(std::vector<std::unique_ptr<Model>>& models) {
  for (size_t i = 0; i < models.size(); ++i) models[i]->fit();
}

int main() {
  std::vector<std::unique_ptr<Model>> models;
  for (int i = 0; i < 8; ++i) models.push_back(std::make_unique<Model>(100));
  for (size_t i = 0; i < models.size(); ++i) models[i]->prepare();
  fit_all(models);
  // A history that grows in each step is no set-up.
  std::vector<std::unique_ptr<Model>> history;
  for (int step = 0; step < 1000; ++step) {
    factor<<<1, 256>>>(nullptr, nullptr, 0);
    history.push_back(std::make_unique<Model>(100));  // expect-high [alloc-in-loop]
  }
}
