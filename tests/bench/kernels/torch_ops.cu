// torch.ops.syncsniff_bench: the tables in C++, and two maps to time beside what torch.compile makes of their formulas.
#include <ATen/cuda/CUDAContext.h>
#include <torch/library.h>

#include <syncsniff/map.cuh>

#include "benches.h"
#include "formulas.cuh"

namespace {

template <typename Run>
void dispatch(const at::Tensor& x, Run run) {
  TORCH_CHECK(x.scalar_type() == at::kFloat || x.scalar_type() == at::kBFloat16, "float32 or bfloat16");
  const cudaError_t error = x.scalar_type() == at::kFloat ? run(float()) : run(__nv_bfloat16());
  TORCH_CHECK(error == cudaSuccess, cudaGetErrorString(error));
}
template <typename T>
T* data(const at::Tensor& x) {
  return static_cast<T*>(x.mutable_data_ptr());
}

void four_sines(const at::Tensor& x, const at::Tensor& y) {
  dispatch(x, [&](auto type) {
    using T = decltype(type);
    return syncsniff::map(static_cast<std::uint64_t>(x.numel()), bench::FourSines(), syncsniff::outputs(data<T>(y)),
                          at::cuda::getCurrentCUDAStream(), data<T>(x));
  });
}
void gelu_bias_residual(const at::Tensor& x, const at::Tensor& bias, const at::Tensor& residual, const at::Tensor& y) {
  dispatch(x, [&](auto type) {
    using T = decltype(type);
    const auto columns = static_cast<std::uint64_t>(bias.numel());
    return syncsniff::map({static_cast<std::uint64_t>(x.numel()) / columns, columns}, bench::GeluBiasResidual(),
                          syncsniff::outputs(data<T>(y)), at::cuda::getCurrentCUDAStream(), data<T>(x),
                          syncsniff::row(data<T>(bias)), data<T>(residual));
  });
}

}  // namespace

TORCH_LIBRARY(syncsniff_bench, m) {
  m.def("run_all() -> int", []() -> int64_t { return bench::run_all(); });
  m.def("four_sines(Tensor x, Tensor(a!) y) -> ()", &four_sines);
  m.def("gelu_bias_residual(Tensor x, Tensor bias, Tensor residual, Tensor(a!) y) -> ()", &gelu_bias_residual);
}
