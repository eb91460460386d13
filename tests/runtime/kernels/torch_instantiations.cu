// Every function of the LibTorch adaptor, for every element type.
#include <syncsniff/torch_tensors.cuh>

namespace {

namespace mt = syncsniff::multi_tensor;

template <typename T>
cudaError_t all(const std::vector<at::Tensor>& tensors, cudaStream_t stream) {
  mt::Plan<T> plan;
  mt::List<T> list;
  mt::List<float> moments;
  cudaError_t error = mt::build(plan, tensors, stream);
  if (error == cudaSuccess) error = mt::update(plan, tensors, stream);
  if (error == cudaSuccess) error = mt::follow(list, plan, tensors, stream);
  if (error == cudaSuccess) error = mt::follow(moments, plan, tensors, stream);
  return mt::same_layout(tensors[0], tensors[1]) ? error : cudaErrorInvalidValue;
}

}  // namespace

cudaError_t every_type(const std::vector<at::Tensor>& tensors, cudaStream_t stream) {
  for (auto* one : {&all<float>, &all<__half>, &all<__nv_bfloat16>}) {
    if (const cudaError_t error = one(tensors, stream); error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
