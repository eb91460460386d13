// syncsniff::map and the elementwise many-tensor operations, as shares of the machine's own copy bandwidth. L2 flushed
// before every sample. Their peers in PyTorch are timed by bench.py.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <random>
#include <syncsniff/map.cuh>
#include <syncsniff/multi_tensor_optimizers.cuh>

#include "benches.h"
#include "formulas.cuh"
#include "timing.cuh"

namespace {

namespace mt = syncsniff::multi_tensor;

struct Add {
  __device__ float operator()(float a, float b) const { return a + b; }
};
struct Negate {
  __device__ float operator()(float a) const { return -a; }
};
template <typename T>
struct Arrays {
  T *x = nullptr, *y = nullptr, *z = nullptr;
  explicit Arrays(std::size_t count) {
    for (T** array : {&x, &y, &z}) {
      BENCH_CHECK(cudaMalloc(array, count * sizeof(T)));
      BENCH_CHECK(cudaMemset(*array, 0, count * sizeof(T)));
    }
  }
  ~Arrays() {
    for (T* array : {x, y, z}) cudaFree(array);
  }
};

double copy_rate(bench::Timer& timer, void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
  const bench::Timing copy =
      timer.time(20, [&] { BENCH_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream)); });
  const double rate = 2.0 * double(bytes) / copy.gpu_us.median * 1e-3;
  bench::print_row("copy (reads and writes)", copy, 2.0 * double(bytes), rate);
  return rate;
}

template <typename T>
void measure_maps(const char* type, std::size_t rows, std::size_t columns, cudaStream_t stream) {
  bench::Timer timer(stream);
  const std::size_t count = rows * columns;
  const double bytes = double(count) * sizeof(T);
  Arrays<T> a(count);
  std::printf("map, %s, %zu x %zu, %.0f MB an array\n", type, rows, columns, bytes * 1e-6);
  const double rate = copy_rate(timer, a.y, a.x, count * sizeof(T), stream);
  const auto row = [&](const char* name, double arrays, auto work) {
    bench::print_row(name, timer.time(30, work), arrays * bytes, rate);
  };
  row("y = -x", 2, [&] { BENCH_CHECK(syncsniff::map(count, Negate(), syncsniff::outputs(a.y), stream, a.x)); });
  row("z = x + y", 3, [&] { BENCH_CHECK(syncsniff::map(count, Add(), syncsniff::outputs(a.z), stream, a.x, a.y)); });
  row("y = sin(sin(sin(sin(x))))", 2,
      [&] { BENCH_CHECK(syncsniff::map(count, bench::FourSines(), syncsniff::outputs(a.y), stream, a.x)); });
  row("z = gelu(x + bias) + y", 3, [&] {
    BENCH_CHECK(syncsniff::map({rows, columns}, bench::GeluBiasResidual(), syncsniff::outputs(a.z), stream, a.x,
                               syncsniff::row(a.x), a.y));
  });
}

// Pointers to tensors of these sizes, one after the other from `base` on, each on a 16-byte boundary.
template <typename T>
std::vector<const T*> laid_out(const T* base, const std::vector<std::uint64_t>& elements) {
  std::vector<const T*> data;
  for (std::uint64_t count : elements) {
    data.push_back(base);
    base += (count + 7) / 8 * 8;
  }
  return data;
}

// Parameters and gradients in T; the moments are fp32, as optimizers keep them.
template <typename T>
void measure_many(const char* name, const std::vector<std::uint64_t>& elements, cudaStream_t stream) {
  bench::Timer timer(stream);
  std::uint64_t total = 0, used = 0;
  for (std::uint64_t count : elements) {
    total += (count + 7) / 8 * 8;
    used += count;
  }
  T* block = nullptr;
  float* moments = nullptr;
  BENCH_CHECK(cudaMalloc(&block, 2 * total * sizeof(T)));
  BENCH_CHECK(cudaMalloc(&moments, 2 * total * sizeof(float)));
  BENCH_CHECK(cudaMemset(block, 0x3c, 2 * total * sizeof(T)));  // 0.0115, in bf16 too
  BENCH_CHECK(cudaMemset(moments, 0x3c, 2 * total * sizeof(float)));
  mt::Plan<T> plan;
  mt::List<T> gradients;
  mt::List<float> lists[2];
  const std::size_t count = elements.size();
  BENCH_CHECK(plan.build(laid_out<T>(block, elements).data(), elements.data(), count, stream));
  BENCH_CHECK(gradients.build(laid_out<T>(block + total, elements).data(), count, stream));
  for (int i = 0; i < 2; ++i)
    BENCH_CHECK(lists[i].build(laid_out<float>(moments + i * total, elements).data(), count, stream));
  const double one = double(used) * sizeof(T), moment = double(used) * sizeof(float);
  std::printf("%s: %zu tensors, %.1f MB a list\n", name, count, one * 1e-6);
  const double rate = copy_rate(timer, block, block + total, total * sizeof(T), stream);
  const auto row = [&](const char* what, double bytes, auto work) {
    bench::print_row(what, timer.time(30, work), bytes, rate);
  };
  row("scale", 2 * one, [&] { BENCH_CHECK(mt::scale(plan, 0.5f, stream)); });
  row("scale, factor on the device", 2 * one, [&] { BENCH_CHECK(mt::scale(plan, moments, stream)); });
  BENCH_CHECK(cudaMemset(block, 0x3c, total * sizeof(T)));
  row("axpby", 3 * one, [&] { BENCH_CHECK(mt::axpby(0.5f, gradients, 0.5f, plan, stream)); });
  row("clip_by_total_norm, within bounds", one,
      [&] { BENCH_CHECK(mt::clip_by_total_norm(plan, 1e30f, nullptr, stream)); });
  float bound = 0.5f;  // ever less than what the call before has left
  row("clip_by_total_norm, clipping", 3 * one, [&] {
    BENCH_CHECK(mt::clip_by_total_norm(plan, bound, nullptr, stream));
    bound *= 0.5f;
  });
  row("sgd_momentum", 3 * one + 2 * moment,
      [&] { BENCH_CHECK(mt::sgd_momentum(plan, gradients, lists[0], mt::SgdMomentum(), stream)); });
  row("adamw", 3 * one + 4 * moment,
      [&] { BENCH_CHECK(mt::adamw(plan, gradients, lists[0], lists[1], mt::AdamW(), stream)); });
  row("zero", one, [&] { BENCH_CHECK(mt::zero(plan, stream)); });
  BENCH_CHECK(cudaFree(block));
  BENCH_CHECK(cudaFree(moments));
}

}  // namespace

void bench::elementwise(cudaStream_t stream) {
  measure_maps<float>("fp32", 16384, 4096, stream);
  measure_maps<__nv_bfloat16>("bf16", 32768, 4096, stream);
  measure_maps<__half>("fp16", 32768, 4096, stream);
  std::mt19937 random(1);
  const auto small = bench::short_sizes(1000, random), mixed = bench::mixed_sizes(random);
  measure_many<float>("1,000 of 1-17k, fp32", small, stream);
  measure_many<__nv_bfloat16>("1,000 of 1-17k, bf16", small, stream);
  measure_many<float>("500 mixed, fp32", mixed, stream);
  measure_many<__nv_bfloat16>("500 mixed, bf16", mixed, stream);
  measure_many<__half>("500 mixed, fp16", mixed, stream);
}
