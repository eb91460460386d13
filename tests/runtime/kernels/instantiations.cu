// Every operation that docs/kernels names, for every element type: compiled by each compiler, run by the GPU tests.
#include <syncsniff/map.cuh>
#include <syncsniff/multi_tensor_optimizers.cuh>
#include <syncsniff/nan_guard.cuh>
#include <syncsniff/readback.cuh>

namespace mt = syncsniff::multi_tensor;

template <typename T>
cudaError_t every_operation(mt::Plan<T>& plan, mt::List<T>& list, mt::List<float>& state, float* values, int* flags,
                            cudaStream_t stream) {
  const cudaError_t results[] = {plan.update(nullptr, stream),
                                 list.update(nullptr, stream),
                                 mt::sum(plan, values, values, stream),
                                 mt::mean(plan, values, values, stream),
                                 mt::l2_norm(plan, values, values, stream),
                                 mt::abs_max(plan, values, values, stream),
                                 mt::any_nonfinite(plan, flags, flags, stream),
                                 mt::zero(plan, stream),
                                 mt::scale(plan, 2.0f, stream),
                                 mt::scale(plan, 0, stream),
                                 mt::scale(plan, 2, stream),
                                 mt::scale(plan, 0.5, stream),
                                 mt::scale(plan, static_cast<const float*>(values), stream),
                                 mt::scale(plan, nullptr, stream),
                                 mt::axpby(1.0f, list, 2.0f, plan, stream),
                                 mt::clip_by_total_norm(plan, 1.0f, values, stream),
                                 mt::adamw(plan, list, state, state, mt::AdamW(), stream),
                                 mt::adamw(plan, list, list, list, mt::AdamW(), stream),
                                 mt::sgd_momentum(plan, list, state, mt::SgdMomentum(), stream),
                                 mt::sgd_momentum(plan, list, list, mt::SgdMomentum(), stream)};
  for (const cudaError_t result : results) {
    if (result != cudaSuccess) return result;
  }
  return cudaSuccess;
}
template cudaError_t every_operation<float>(mt::Plan<float>&, mt::List<float>&, mt::List<float>&, float*, int*,
                                            cudaStream_t);
template cudaError_t every_operation<__half>(mt::Plan<__half>&, mt::List<__half>&, mt::List<float>&, float*, int*,
                                             cudaStream_t);
template cudaError_t every_operation<__nv_bfloat16>(mt::Plan<__nv_bfloat16>&, mt::List<__nv_bfloat16>&,
                                                    mt::List<float>&, float*, int*, cudaStream_t);

struct Affine {
  __device__ float operator()(float x, float bias, float factor) const { return x * factor + bias; }
};
struct Split {
  __device__ void operator()(float x, float& a, float& b) const {
    a = x;
    b = -x;
  }
};

template <typename T>
cudaError_t every_map(T* out, const T* in, float* other, const float* factor, cudaStream_t stream) {
  const cudaError_t error = syncsniff::map({8, 1024}, Affine(), syncsniff::outputs(out), stream, in, syncsniff::row(in),
                                           syncsniff::scalar(factor));
  return error != cudaSuccess ? error : syncsniff::map(8192, Split(), syncsniff::outputs(out, other), stream, in);
}
template cudaError_t every_map<float>(float*, const float*, float*, const float*, cudaStream_t);
template cudaError_t every_map<__half>(__half*, const __half*, float*, const float*, cudaStream_t);
template cudaError_t every_map<__nv_bfloat16>(__nv_bfloat16*, const __nv_bfloat16*, float*, const float*, cudaStream_t);

// Elements of 3 and 12 bytes, and counts of any integral type.
struct Luma {
  __device__ float operator()(uchar3 pixel) const { return 0.25f * pixel.x + 0.5f * pixel.y + 0.25f * pixel.z; }
};
struct Length {
  __device__ double operator()(float3 p) const {
    return sqrt(double(p.x) * p.x + double(p.y) * p.y + double(p.z) * p.z);
  }
};
struct Diagonal {
  __device__ float3 operator()(double x) const { return {float(x), float(x), float(x)}; }
};
cudaError_t odd_sizes(float* luma, const uchar3* pixels, double* lengths, float3* points, int rows, long columns,
                      cudaStream_t stream) {
  const cudaError_t results[] = {
      syncsniff::map({rows, columns}, Luma(), syncsniff::outputs(luma), stream, pixels),
      syncsniff::map(rows, Length(), syncsniff::outputs(lengths), stream, static_cast<const float3*>(points)),
      syncsniff::map(rows, Diagonal(), syncsniff::outputs(points), stream, static_cast<const double*>(lengths))};
  for (const cudaError_t result : results) {
    if (result != cudaSuccess) return result;
  }
  return cudaSuccess;
}

template <typename T>
cudaError_t every_test(const syncsniff::NanGuard& guard, const T* data, const syncsniff::GraphScalar<T>& scalar,
                       cudaStream_t stream) {
  const cudaError_t error = syncsniff::test_finite(guard, data, 1000, 1, stream);
  return error != cudaSuccess ? error : syncsniff::publish(scalar, data, stream);
}
template cudaError_t every_test<float>(const syncsniff::NanGuard&, const float*, const syncsniff::GraphScalar<float>&,
                                       cudaStream_t);
template cudaError_t every_test<double>(const syncsniff::NanGuard&, const double*,
                                        const syncsniff::GraphScalar<double>&, cudaStream_t);
template cudaError_t every_test<__half>(const syncsniff::NanGuard&, const __half*,
                                        const syncsniff::GraphScalar<__half>&, cudaStream_t);
template cudaError_t every_test<__nv_bfloat16>(const syncsniff::NanGuard&, const __nv_bfloat16*,
                                               const syncsniff::GraphScalar<__nv_bfloat16>&, cudaStream_t);

// Trivially copyable, but never assigned; and one that lies on odd addresses.
struct Fixed {
  const int count;
  float value;
};
struct Bytes {
  char of[7];
};
cudaError_t odd_values(const syncsniff::GraphScalar<Fixed>& fixed, const Fixed* value,
                       const syncsniff::GraphScalar<Bytes>& bytes, const Bytes* of, cudaStream_t stream) {
  const cudaError_t error = syncsniff::publish(fixed, value, stream);
  return error != cudaSuccess ? error : syncsniff::publish(bytes, of, stream);
}
