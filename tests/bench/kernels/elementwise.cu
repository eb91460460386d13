// syncsniff::map and the elementwise many-tensor operations, as shares of the machine's own copy bandwidth. L2 flushed
// before every sample. Their peers in PyTorch are timed by bench.py.
#include <cuda_bf16.h>

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

void measure_many(const char* name, const std::vector<std::uint64_t>& elements, cudaStream_t stream) {
  bench::Timer timer(stream);
  std::uint64_t total = 0;
  for (std::uint64_t count : elements) total += (count + 3) / 4 * 4;
  float* block = nullptr;
  BENCH_CHECK(cudaMalloc(&block, 4 * total * sizeof(float)));
  BENCH_CHECK(cudaMemset(block, 0x3c, 4 * total * sizeof(float)));  // 0.0115
  std::vector<const float*> data[4];
  std::uint64_t at = 0, used = 0;
  for (std::uint64_t count : elements) {
    for (int i = 0; i < 4; ++i) data[i].push_back(block + i * total + at);
    at += (count + 3) / 4 * 4;
    used += count;
  }
  mt::Plan<float> plan;
  mt::List<float> lists[3];
  BENCH_CHECK(plan.build(data[0].data(), elements.data(), elements.size(), stream));
  for (int i = 0; i < 3; ++i) BENCH_CHECK(lists[i].build(data[i + 1].data(), elements.size(), stream));
  const double bytes = double(used) * sizeof(float);
  std::printf("%s: %zu tensors, %.1f MB a list\n", name, elements.size(), bytes * 1e-6);
  const double rate = copy_rate(timer, block, block + total, total * sizeof(float), stream);
  const auto row = [&](const char* what, double moved, auto work) {
    bench::print_row(what, timer.time(30, work), moved * bytes, rate);
  };
  row("scale", 2, [&] { BENCH_CHECK(mt::scale(plan, 0.5f, stream)); });
  row("axpby", 3, [&] { BENCH_CHECK(mt::axpby(1.0f, lists[0], 0.5f, plan, stream)); });
  row("clip_by_total_norm, within bounds", 1,
      [&] { BENCH_CHECK(mt::clip_by_total_norm(plan, 1e30f, nullptr, stream)); });
  float bound = 0.5f;  // ever less than what the call before has left
  row("clip_by_total_norm, clipping", 3, [&] {
    BENCH_CHECK(mt::clip_by_total_norm(plan, bound, nullptr, stream));
    bound *= 0.5f;
  });
  row("sgd_momentum", 5, [&] { BENCH_CHECK(mt::sgd_momentum(plan, lists[0], lists[1], mt::SgdMomentum(), stream)); });
  row("adamw", 7, [&] { BENCH_CHECK(mt::adamw(plan, lists[0], lists[1], lists[2], mt::AdamW(), stream)); });
  row("zero", 1, [&] { BENCH_CHECK(mt::zero(plan, stream)); });
  BENCH_CHECK(cudaFree(block));
}

}  // namespace

void bench::elementwise(cudaStream_t stream) {
  measure_maps<float>("fp32", 16384, 4096, stream);
  measure_maps<__nv_bfloat16>("bf16", 32768, 4096, stream);
  std::mt19937 random(1);
  const auto small = bench::short_sizes(1000, random), mixed = bench::mixed_sizes(random);
  measure_many("1,000 of 1-17k, fp32", small, stream);
  measure_many("500 mixed, fp32", mixed, stream);
}
