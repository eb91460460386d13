// The reductions over many tensors beside their peers, in fp32 and bf16: a loop of one kernel a tensor, CUB's segmented
// reduce, and CUB's plain sums of one array of the same bytes, the quicker of which is the floor. L2 flushed before
// every sample.
#include <thrust/iterator/transform_iterator.h>

#include <cmath>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <random>
#include <syncsniff/multi_tensor.cuh>
#include <type_traits>

#include "benches.h"
#include "timing.cuh"

namespace {

namespace mt = syncsniff::multi_tensor;
constexpr int kThreads = 256;

struct Widen {
  template <typename T>
  __host__ __device__ float operator()(T value) const {
    return static_cast<float>(value);
  }
};
struct Plus {
  __host__ __device__ float operator()(float a, float b) const { return a + b; }
};

// The peer that people write: a kernel a tensor. One block and scalar loads: for short tensors the launches count, and
// of the long ones it makes the worst.
template <typename T>
__global__ void one_tensor_kernel(const T* data, unsigned long long count, float* sum) {
  float mine = 0.0f;
  for (unsigned long long i = threadIdx.x; i < count; i += kThreads) mine += static_cast<float>(data[i]);
  const float whole = syncsniff::detail::block_reduce<syncsniff::detail::SumOp, kThreads>(mine);
  if (threadIdx.x == 0) *sum = whole;
}

// Tensors in one arena, each on a 16-byte boundary: what CUB's segmented reduce needs, and no help to the others.
template <typename T>
struct Problem {
  std::string name;
  std::vector<std::uint64_t> elements;
  std::vector<long long> begins, ends;
  std::vector<const T*> data;
  T* arena = nullptr;
  T* spare = nullptr;
  long long* device_begins = nullptr;
  long long* device_ends = nullptr;
  float* sums = nullptr;
  float* total = nullptr;
  std::uint64_t arena_elements = 0, sum_elements = 0;
};

template <typename T>
__global__ void fill_kernel(T* data, unsigned long long count) {
  const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * blockDim.x;
  for (unsigned long long i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
    data[i] = static_cast<T>(static_cast<float>(static_cast<int>(i % 17) - 8) * 0.25f);
  }
}

template <typename T>
Problem<T> make_problem(const std::string& name, const std::vector<std::uint64_t>& elements) {
  constexpr std::uint64_t kBoundary = 16 / sizeof(T);
  Problem<T> p;
  p.name = name;
  p.elements = elements;
  for (std::uint64_t count : elements) {
    p.begins.push_back(static_cast<long long>(p.arena_elements));
    p.ends.push_back(static_cast<long long>(p.arena_elements + count));
    p.arena_elements += (count + kBoundary - 1) / kBoundary * kBoundary;
    p.sum_elements += count;
  }
  const std::size_t tensors = elements.size();
  BENCH_CHECK(cudaMalloc(&p.arena, p.arena_elements * sizeof(T)));
  BENCH_CHECK(cudaMalloc(&p.spare, p.arena_elements * sizeof(T)));
  BENCH_CHECK(cudaMalloc(&p.device_begins, tensors * sizeof(long long)));
  BENCH_CHECK(cudaMalloc(&p.device_ends, tensors * sizeof(long long)));
  BENCH_CHECK(cudaMalloc(&p.sums, tensors * sizeof(float)));
  BENCH_CHECK(cudaMalloc(&p.total, sizeof(float)));
  BENCH_CHECK(cudaMemcpy(p.device_begins, p.begins.data(), tensors * sizeof(long long), cudaMemcpyHostToDevice));
  BENCH_CHECK(cudaMemcpy(p.device_ends, p.ends.data(), tensors * sizeof(long long), cudaMemcpyHostToDevice));
  fill_kernel<<<1024, kThreads>>>(p.arena, p.arena_elements);
  BENCH_CHECK(cudaDeviceSynchronize());
  for (long long begin : p.begins) p.data.push_back(p.arena + begin);
  return p;
}

template <typename T>
void free_problem(Problem<T>& p) {
  for (void* block : {static_cast<void*>(p.arena), static_cast<void*>(p.spare), static_cast<void*>(p.device_begins),
                      static_cast<void*>(p.device_ends), static_cast<void*>(p.sums), static_cast<void*>(p.total)}) {
    cudaFree(block);
  }
}

template <typename T>
void require_right_sums(const Problem<T>& p) {
  std::vector<float> sums(p.elements.size());
  BENCH_CHECK(cudaMemcpy(sums.data(), p.sums, sums.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (std::size_t i = 0; i < sums.size(); ++i) {
    double expected = 0.0;  // whole periods of 17 add up to 0
    for (std::uint64_t j = p.elements[i] / 17 * 17; j < p.elements[i]; ++j) {
      expected += (static_cast<double>((static_cast<std::uint64_t>(p.begins[i]) + j) % 17) - 8) * 0.25;
    }
    if (std::fabs(sums[i] - expected) > 1e-2) {
      std::fprintf(stderr, "tensor %zu: %g, not %g\n", i, double(sums[i]), expected);
      std::exit(EXIT_FAILURE);
    }
  }
}

// A CUB call sized for its own workspace, then called with it.
class Workspace {
 public:
  template <typename Call>
  explicit Workspace(Call call) {
    BENCH_CHECK(call(nullptr, bytes_));
    BENCH_CHECK(cudaMalloc(&memory_, bytes_));
  }
  ~Workspace() { cudaFree(memory_); }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  template <typename Call>
  void run(Call call) {
    BENCH_CHECK(call(memory_, bytes_));
  }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

// What a step costs whose tensors have moved, and one whose tensors are where they were.
template <typename T>
void measure_update(const Problem<T>& p, mt::Plan<T>& plan, cudaStream_t stream, bench::Timer& timer) {
  std::vector<const T*> elsewhere;
  for (long long begin : p.begins) elsewhere.push_back(p.spare + begin);
  bool moved = false;
  const auto update = [&](bool move) {
    if (move) moved = !moved;
    BENCH_CHECK(plan.update(moved ? elsewhere.data() : p.data.data(), stream));
  };
  bench::print_time("Plan::update, all addresses new", timer.time(20, [&] { update(true); }));
  bench::print_time("Plan::update, none new", timer.time(20, [&] { update(false); }));
  BENCH_CHECK(plan.update(p.data.data(), stream));
}

template <typename T>
void measure(Problem<T>& p, const char* type, cudaStream_t stream) {
  bench::Timer timer(stream);
  const double bytes = double(p.sum_elements) * sizeof(T);
  const std::size_t arena_bytes = p.arena_elements * sizeof(T);
  mt::Plan<T> plan;
  BENCH_CHECK(plan.build(p.data.data(), p.elements.data(), p.elements.size(), stream));
  std::printf("%s, %s: %zu tensors, %.1f MB\n", p.name.c_str(), type, p.elements.size(), bytes * 1e-6);

  const bench::Timing copy = timer.time(
      20, [&] { BENCH_CHECK(cudaMemcpyAsync(p.spare, p.arena, arena_bytes, cudaMemcpyDeviceToDevice, stream)); });
  const double copy_gb_s = 2.0 * double(arena_bytes) / copy.gpu_us.median * 1e-3;
  bench::print_row("copy (reads and writes)", copy, 2.0 * double(arena_bytes), copy_gb_s);

  const auto widened = thrust::make_transform_iterator(static_cast<const T*>(p.arena), Widen());
  const auto arena_count = static_cast<long long>(p.arena_elements);
  const auto tensors = static_cast<long long>(p.elements.size());
  const auto one_array = [&](void* memory, std::size_t& size) {
    return cub::DeviceReduce::Reduce(memory, size, widened, p.total, arena_count, Plus(), 0.0f, stream);
  };
  const auto one_array_of_floats = [&](void* memory, std::size_t& size) {
    return cub::DeviceReduce::Sum(memory, size, reinterpret_cast<const float*>(p.arena), p.total,
                                  static_cast<long long>(arena_bytes / sizeof(float)), stream);
  };
  // CUB loads vectors through plain pointers alone: floats get them.
  const auto segmented = [&](void* memory, std::size_t& size) {
    if constexpr (std::is_same_v<T, float>) {
      return cub::DeviceSegmentedReduce::Sum(memory, size, static_cast<const float*>(p.arena), p.sums, tensors,
                                             p.device_begins, p.device_ends, stream);
    } else {
      return cub::DeviceSegmentedReduce::Reduce(memory, size, widened, p.sums, tensors, p.device_begins, p.device_ends,
                                                Plus(), 0.0f, stream);
    }
  };
  Workspace array_workspace(one_array), floats_workspace(one_array_of_floats), segmented_workspace(segmented);

  const auto row = [&](const char* name, int samples, auto work) {
    bench::print_row(name, timer.time(samples, work), bytes, copy_gb_s);
  };
  row("floor: one array, cub Reduce", 50, [&] { array_workspace.run(one_array); });
  row("floor: the bytes as floats, cub Sum", 50, [&] { floats_workspace.run(one_array_of_floats); });
  row("multi_tensor::sum", 50, [&] { BENCH_CHECK(mt::sum(plan, p.sums, p.total, stream)); });
  require_right_sums(p);
  row("multi_tensor::l2_norm", 50, [&] { BENCH_CHECK(mt::l2_norm(plan, p.sums, p.total, stream)); });
  row("multi_tensor::mean", 30, [&] { BENCH_CHECK(mt::mean(plan, p.sums, p.total, stream)); });
  row("multi_tensor::abs_max", 30, [&] { BENCH_CHECK(mt::abs_max(plan, p.sums, p.total, stream)); });
  auto* const flags = reinterpret_cast<int*>(p.sums);
  row("multi_tensor::any_nonfinite", 30,
      [&] { BENCH_CHECK(mt::any_nonfinite(plan, flags, reinterpret_cast<int*>(p.total), stream)); });
  measure_update(p, plan, stream, timer);
  row("cub SegmentedReduce", 20, [&] { segmented_workspace.run(segmented); });
  row("loop of one kernel a tensor", 7, [&] {
    for (std::size_t i = 0; i < p.data.size(); ++i) {
      one_tensor_kernel<<<1, kThreads, 0, stream>>>(p.data[i], p.elements[i], p.sums + i);
    }
    BENCH_CHECK(cudaGetLastError());
  });
}

template <typename T>
void measure_all(const char* type, cudaStream_t stream) {
  std::mt19937 random(1);
  const auto mixed = bench::mixed_sizes(random);
  for (auto& [name, elements] :
       {std::pair{"1,000 of 1-17k", bench::short_sizes(1000, random)},
        std::pair{"5,000 of 1-17k", bench::short_sizes(5000, random)}, std::pair{"500 mixed", mixed}}) {
    Problem<T> problem = make_problem<T>(name, elements);
    measure(problem, type, stream);
    free_problem(problem);
  }
}

}  // namespace

void bench::reductions(cudaStream_t stream) {
  measure_all<float>("fp32", stream);
  measure_all<__nv_bfloat16>("bf16", stream);
}
