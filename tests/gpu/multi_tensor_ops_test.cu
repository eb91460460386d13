// The other many-tensor operations on a real GPU against float64 references: odd sizes, misaligned pointers, empty
// tensors, inf and NaN, moved tensors, graphs. Exits with 77 (skipped) where there is no device.
#include <cmath>
#include <cstring>
#include <random>
#include <syncsniff/multi_tensor_optimizers.cuh>
#include <vector>

#include "kernel_test.cuh"

namespace {

namespace mt = syncsniff::multi_tensor;

double wide(float value) { return value; }
double wide(__half value) { return __half2float(value); }
double wide(__nv_bfloat16 value) { return __bfloat162float(value); }
template <typename T>
T narrow(double value) {
  return T(static_cast<float>(value));
}
// Half a unit in the last place, relative, and then some for the arithmetic in fp32.
template <typename T>
constexpr double kRounding = sizeof(T) == 4 ? 1e-6 : 1e-2;
template <>
constexpr double kRounding<__half> = 1e-3;

// Tensors of given sizes and distances from a 16-byte boundary, on the host and on the device.
template <typename T>
class Tensors {
 public:
  Tensors(const std::vector<std::uint64_t>& elements, unsigned seed, double low, double high, bool misaligned = true)
      : elements_(elements) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> values(low, high);
    constexpr std::size_t kPerBoundary = 16 / sizeof(T);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      begins_.push_back((host_.size() + kPerBoundary - 1) / kPerBoundary * kPerBoundary +
                        (misaligned ? (i * seed) % kPerBoundary : 0));
      host_.resize(begins_.back() + elements[i], narrow<T>(1e4));  // what is touched by mistake is seen
      for (std::uint64_t j = 0; j < elements[i]; ++j) at(i, j) = narrow<T>(values(random));
    }
    host_.resize(host_.size() + 64, narrow<T>(1e4));
    EXPECT_CUDA(cudaMalloc(&device_, host_.size() * sizeof(T)));
    upload();
    for (std::size_t begin : begins_) pointers_.push_back(device_ + begin);
  }
  ~Tensors() { cudaFree(device_); }
  Tensors(const Tensors&) = delete;
  Tensors& operator=(const Tensors&) = delete;

  void upload() { EXPECT_CUDA(cudaMemcpy(device_, host_.data(), host_.size() * sizeof(T), cudaMemcpyHostToDevice)); }
  T& at(std::size_t tensor, std::uint64_t element) { return host_[begins_[tensor] + element]; }
  mt::Plan<T> plan(std::uint32_t chunk_bytes = 0) {
    mt::Plan<T> plan;
    EXPECT_CUDA(plan.build(pointers_.data(), elements_.data(), elements_.size(), nullptr, chunk_bytes));
    return plan;
  }
  mt::List<T> list() {
    mt::List<T> list;
    EXPECT_CUDA(list.build(pointers_.data(), pointers_.size(), nullptr));
    return list;
  }
  T* const* pointers() const { return pointers_.data(); }
  // What the device has now; what lies between the tensors must be what was put there.
  std::vector<std::vector<double>> read() {
    std::vector<T> now(host_.size());
    EXPECT_CUDA(cudaMemcpy(now.data(), device_, now.size() * sizeof(T), cudaMemcpyDeviceToHost));
    std::vector<std::vector<double>> out;
    std::size_t between = 0;
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      for (; between < begins_[i]; ++between) EXPECT_EQ(wide(now[between]), wide(narrow<T>(1e4))) << "before " << i;
      out.emplace_back();
      for (; between < begins_[i] + elements_[i]; ++between) out.back().push_back(wide(now[between]));
    }
    return out;
  }
  // Every element, as it was last uploaded.
  std::vector<std::vector<double>> values() {
    std::vector<std::vector<double>> out;
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      out.emplace_back();
      for (std::uint64_t j = 0; j < elements_[i]; ++j) out.back().push_back(wide(at(i, j)));
    }
    return out;
  }

 private:
  std::vector<std::uint64_t> elements_;
  std::vector<T> host_;
  std::vector<std::size_t> begins_;
  T* device_ = nullptr;
  std::vector<T*> pointers_;
};

const std::vector<std::uint64_t> kSizes = {0,    1,    3,    7, 8,     9,     33,    255,    257, 1023, 4095,
                                           4096, 4097, 8191, 0, 16385, 17000, 65537, 100003, 2,   5,    262147};

void expect_close(const std::vector<std::vector<double>>& got, const std::vector<std::vector<double>>& expected,
                  double relative, double absolute) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(got[i].size(), expected[i].size());
    for (std::size_t j = 0; j < got[i].size(); ++j)
      ASSERT_NEAR(got[i][j], expected[i][j], relative * std::fabs(expected[i][j]) + absolute) << i << ", " << j;
  }
}

template <typename T>
class MultiTensorOps : public testing::Test {};
using Types = testing::Types<float, __half, __nv_bfloat16>;
TYPED_TEST_SUITE(MultiTensorOps, Types);

TYPED_TEST(MultiTensorOps, ReductionsAgreeWithFloat64) {
  Tensors<TypeParam> x(kSizes, 3, -1.0, 1.5);
  const auto values = x.values();
  const std::size_t count = kSizes.size();
  gpu_test::Device<float> out(count + 1);
  for (std::uint32_t chunk_bytes : {0u, 1024u, 16384u}) {
    const mt::Plan<TypeParam> plan = x.plan(chunk_bytes);
    const auto expect = [&](const char* what, auto of_values) {
      ASSERT_CUDA(cudaDeviceSynchronize());
      std::vector<double> all;
      for (std::size_t i = 0; i <= count; ++i) {
        if (i < count) all.insert(all.end(), values[i].begin(), values[i].end());
        const double expected = of_values(i < count ? values[i] : all), got = out.read(i);
        if (std::isnan(expected))
          EXPECT_TRUE(std::isnan(got)) << what << " " << i;
        else
          EXPECT_NEAR(got, expected, 3e-6 * std::fabs(expected) + 2e-6) << what << " " << i;
      }
    };
    const auto total = out.get() + count;
    ASSERT_CUDA(mt::mean(plan, out.get(), total, nullptr));
    expect("mean", [](const std::vector<double>& v) {
      double sum = 0;
      for (double x : v) sum += x;
      return sum / double(v.size());
    });
    ASSERT_CUDA(mt::l2_norm(plan, out.get(), total, nullptr));
    expect("l2_norm", [](const std::vector<double>& v) {
      double sum = 0;
      for (double x : v) sum += x * x;
      return std::sqrt(sum);
    });
    ASSERT_CUDA(mt::abs_max(plan, out.get(), total, nullptr));
    expect("abs_max", [](const std::vector<double>& v) {
      double most = 0;
      for (double x : v) most = std::fmax(most, std::fabs(x));
      return most;
    });
  }
}

TYPED_TEST(MultiTensorOps, NonFiniteElementsAreFoundWhereverTheyStand) {
  Tensors<TypeParam> x(kSizes, 5, -1.0, 1.0);
  const std::size_t count = kSizes.size();
  gpu_test::Device<int> out(count + 1);
  gpu_test::Device<float> largest(count + 1);
  const mt::Plan<TypeParam> plan = x.plan();
  ASSERT_CUDA(mt::any_nonfinite(plan, out.get(), out.get() + count, nullptr));
  for (std::size_t i = 0; i <= count; ++i) EXPECT_EQ(out.read(i), 0) << i;
  x.at(5, 8) = narrow<TypeParam>(NAN);            // the last of an odd tensor
  x.at(12, 0) = narrow<TypeParam>(-INFINITY);     // the first, off a boundary
  x.at(18, 70001) = narrow<TypeParam>(INFINITY);  // deep in a tensor of several chunks
  x.upload();
  ASSERT_CUDA(mt::any_nonfinite(plan, out.get(), out.get() + count, nullptr));
  ASSERT_CUDA(mt::abs_max(plan, largest.get(), largest.get() + count, nullptr));
  for (std::size_t i = 0; i <= count; ++i) EXPECT_EQ(out.read(i), i == 5 || i == 12 || i == 18 || i == count) << i;
  EXPECT_TRUE(std::isnan(largest.read(5)) && std::isinf(largest.read(12)) && std::isnan(largest.read(count)));
}

TYPED_TEST(MultiTensorOps, ElementwiseOperationsTouchTheirTensorsAndNothingElse) {
  constexpr double kOff = kRounding<TypeParam>;
  for (bool misaligned : {false, true}) {
    Tensors<TypeParam> y(kSizes, 3, -1.0, 1.0, misaligned), x(kSizes, 7, -1.0, 1.0, misaligned);
    auto expected = y.values();
    const auto other = x.values();
    const mt::Plan<TypeParam> plan = y.plan();
    const mt::List<TypeParam> list = x.list();
    ASSERT_CUDA(mt::axpby(0.75f, list, -2.0f, plan, nullptr));
    for (std::size_t i = 0; i < expected.size(); ++i)
      for (std::size_t j = 0; j < expected[i].size(); ++j) expected[i][j] = 0.75 * other[i][j] - 2.0 * expected[i][j];
    expect_close(y.read(), expected, kOff, kOff);
    expect_close(x.read(), other, 0, 0);
    ASSERT_CUDA(mt::scale(plan, 0.5f, nullptr));
    for (auto& tensor : expected)
      for (double& value : tensor) value *= 0.5;
    expect_close(y.read(), expected, kOff, kOff);
    gpu_test::Device<float> factor;
    ASSERT_CUDA(cudaMemset(factor.get(), 0, sizeof(float)));
    ASSERT_CUDA(mt::scale(plan, factor.get(), nullptr));
    for (auto& tensor : y.read())
      for (double value : tensor) ASSERT_EQ(value, 0.0);
    y.upload();
    ASSERT_CUDA(mt::zero(plan, nullptr));
    for (auto& tensor : y.read())
      for (double value : tensor) ASSERT_EQ(value, 0.0);
  }
}

TYPED_TEST(MultiTensorOps, ClippingBoundsTheNormAndLeavesSmallOnesAlone) {
  Tensors<TypeParam> x(kSizes, 3, -1.0, 1.0);
  const auto before = x.values();
  double norm = 0;
  for (const auto& tensor : before)
    for (double value : tensor) norm += value * value;
  norm = std::sqrt(norm);
  const mt::Plan<TypeParam> plan = x.plan();
  gpu_test::Device<float> told;
  ASSERT_CUDA(mt::clip_by_total_norm(plan, static_cast<float>(2 * norm), told.get(), nullptr));
  EXPECT_NEAR(told.read(), norm, 1e-5 * norm);
  expect_close(x.read(), before, 0, 0);
  ASSERT_CUDA(mt::clip_by_total_norm(plan, 1.0f, nullptr, nullptr));
  auto expected = before;
  for (auto& tensor : expected)
    for (double& value : tensor) value /= norm;
  expect_close(x.read(), expected, 2 * kRounding<TypeParam>, 1e-6);
}

struct Reference {
  std::vector<std::vector<double>> p, m, v;
};

void adamw_reference(Reference& r, const std::vector<std::vector<double>>& g, const mt::AdamW& o, int step) {
  for (std::size_t i = 0; i < g.size(); ++i)
    for (std::size_t j = 0; j < g[i].size(); ++j) {
      double &p = r.p[i][j], &m = r.m[i][j], &v = r.v[i][j];
      m = o.beta1 * m + (1.0 - o.beta1) * g[i][j];
      v = o.beta2 * v + (1.0 - o.beta2) * g[i][j] * g[i][j];
      const double corrected = m / (1 - std::pow(double(o.beta1), step));
      p = p * (1 - double(o.learning_rate) * o.weight_decay) -
          o.learning_rate * corrected / (std::sqrt(v / (1 - std::pow(double(o.beta2), step))) + o.epsilon);
    }
}

TYPED_TEST(MultiTensorOps, AdamWFollowsItsReferenceForManySteps) {
  for (bool misaligned : {false, true}) {
    Tensors<TypeParam> p(kSizes, 3, -1.0, 1.0, misaligned), g(kSizes, 7, -1.0, 1.0, misaligned);
    Tensors<float> m(kSizes, 9, 0.0, 0.0, misaligned), v(kSizes, 11, 0.0, 0.0, misaligned);
    const auto plan = p.plan();
    const auto gradients = g.list();
    const auto means = m.list(), squares = v.list();
    Reference reference{p.values(), m.values(), v.values()};
    const auto gradient_values = g.values();
    mt::AdamW options;
    options.learning_rate = 0.01f;
    gpu_test::Device<int> step, skip;
    for (int i = 1; i <= 20; ++i) {
      options.step = i;
      options.device_step = nullptr;
      if (i > 10) {  // from the device, as a captured step reads it
        ASSERT_CUDA(cudaMemcpy(step.get(), &i, sizeof(i), cudaMemcpyHostToDevice));
        options.device_step = step.get();
        options.step = 0;
      }
      ASSERT_CUDA(mt::adamw(plan, gradients, means, squares, options, nullptr));
      adamw_reference(reference, gradient_values, options, i);
    }
    expect_close(m.read(), reference.m, 1e-5, 1e-6);
    expect_close(v.read(), reference.v, 1e-5, 1e-6);
    expect_close(p.read(), reference.p, 20 * kRounding<TypeParam>, 20 * kRounding<TypeParam>);
    const auto settled = p.read();
    const int found = 1;
    ASSERT_CUDA(cudaMemcpy(skip.get(), &found, sizeof(found), cudaMemcpyHostToDevice));
    options.skip = skip.get();
    ASSERT_CUDA(mt::adamw(plan, gradients, means, squares, options, nullptr));
    expect_close(p.read(), settled, 0, 0);
  }
}

TEST(MultiTensorOptimizers, AdamWKeepsItsDigitsInFp32) {
  const std::vector<std::uint64_t> sizes = {1000, 17};
  Tensors<float> p(sizes, 3, -1, 1), g(sizes, 5, -1, 1), m(sizes, 7, 0, 0), v(sizes, 9, 0, 0);
  const auto plan = p.plan();
  const auto gradients = g.list(), means = m.list(), squares = v.list();
  Reference reference{p.values(), m.values(), v.values()};
  mt::AdamW options;
  for (options.step = 1; options.step <= 100; ++options.step) {
    ASSERT_CUDA(mt::adamw(plan, gradients, means, squares, options, nullptr));
    adamw_reference(reference, g.values(), options, options.step);
  }
  expect_close(p.read(), reference.p, 2e-5, 2e-5);
}

TEST(MultiTensorOptimizers, SgdWithMomentumFollowsItsReference) {
  for (bool nesterov : {false, true}) {
    Tensors<float> p(kSizes, 3, -1, 1), g(kSizes, 5, -1, 1), v(kSizes, 7, 0, 0);
    const auto plan = p.plan();
    const auto gradients = g.list(), velocities = v.list();
    auto expected = p.values(), velocity = v.values();
    const auto gradient = g.values();
    mt::SgdMomentum options;
    options.nesterov = nesterov;
    options.weight_decay = 0.01f;
    for (int step = 0; step < 5; ++step) {
      ASSERT_CUDA(mt::sgd_momentum(plan, gradients, velocities, options, nullptr));
      for (std::size_t i = 0; i < expected.size(); ++i)
        for (std::size_t j = 0; j < expected[i].size(); ++j) {
          const double slope = gradient[i][j] + 0.01 * expected[i][j];
          velocity[i][j] = 0.9 * velocity[i][j] + slope;
          expected[i][j] -= 0.01 * (nesterov ? slope + 0.9 * velocity[i][j] : velocity[i][j]);
        }
    }
    expect_close(p.read(), expected, 1e-5, 1e-5);
  }
}

TEST(MultiTensorPlan, MovedTensorsAreFollowedWithoutAWait) {
  std::vector<std::uint64_t> sizes(1000);
  std::mt19937 random(1);
  for (auto& size : sizes) size = random() % 5000;
  Tensors<float> first(sizes, 3, -1, 1), second(sizes, 5, -1, 1);
  mt::Plan<float> moving = first.plan();
  mt::List<float> list = first.list();
  const mt::Plan<float> target = second.plan();
  gpu_test::Stream stream;
  gpu_test::Device<float> expected(1), got(1);
  ASSERT_CUDA(mt::sum(target, static_cast<float*>(nullptr), expected.get(), stream));
  gpu_test::spin(stream, 20000);
  const gpu_test::Clock clock;
  ASSERT_CUDA(moving.update(second.pointers(), stream));
  ASSERT_CUDA(list.update(second.pointers(), stream));
  ASSERT_CUDA(mt::sum(moving, static_cast<float*>(nullptr), got.get(), stream));
  EXPECT_LT(clock.ms(), 10) << "the stream is busy for 20 ms: an update that waits takes as long";
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  EXPECT_NEAR(got.read(), expected.read(), 1e-3);
  // The list names the second tensors now: y = 0 * x + 1 * x copies them onto the first.
  const mt::Plan<float> copy = first.plan();
  ASSERT_CUDA(mt::axpby(1.0f, list, 0.0f, copy, stream));
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  expect_close(first.read(), second.values(), 0, 0);
  const float* nothing[1000] = {};
  EXPECT_EQ(moving.update(nothing, stream), cudaErrorInvalidValue);
}

TEST(MultiTensorPlan, UpdateAndStepAreCapturedTogether) {
  Tensors<float> first(kSizes, 3, -1, 1), second(kSizes, 5, -1, 1);
  mt::Plan<float> plan = first.plan();
  const mt::Plan<float> target = second.plan();
  gpu_test::Stream stream;
  gpu_test::Device<float> expected(1), got(1);
  ASSERT_CUDA(mt::l2_norm(target, static_cast<float*>(nullptr), expected.get(), stream));
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  ASSERT_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  ASSERT_CUDA(plan.update(second.pointers(), stream));
  ASSERT_CUDA(mt::l2_norm(plan, static_cast<float*>(nullptr), got.get(), stream));
  ASSERT_CUDA(mt::clip_by_total_norm(plan, 1.0f, nullptr, stream));
  ASSERT_CUDA(cudaStreamEndCapture(stream, &graph));
  ASSERT_CUDA(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 3; ++i) ASSERT_CUDA(cudaGraphLaunch(executable, stream));
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  EXPECT_NEAR(got.read(), 1.0f, 1e-5) << "clipped in the replay before";
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
}

TEST(MultiTensorPlan, TwoPlansRunOnTwoStreamsAtOnce) {
  Tensors<float> x(kSizes, 3, -1, 1), y(kSizes, 5, -1, 1);
  const mt::Plan<float> px = x.plan(), py = y.plan();
  gpu_test::Stream a, b;
  gpu_test::Device<float> sx(2), sy(2);
  ASSERT_CUDA(mt::sum(px, static_cast<float*>(nullptr), sx.get(), nullptr));
  ASSERT_CUDA(mt::sum(py, static_cast<float*>(nullptr), sy.get(), nullptr));
  ASSERT_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 200; ++i) {
    ASSERT_CUDA(mt::sum(px, static_cast<float*>(nullptr), sx.get() + 1, a));
    ASSERT_CUDA(mt::sum(py, static_cast<float*>(nullptr), sy.get() + 1, b));
  }
  ASSERT_CUDA(cudaDeviceSynchronize());
  EXPECT_EQ(sx.read(0), sx.read(1));
  EXPECT_EQ(sy.read(0), sy.read(1));
}

TEST(MultiTensorPlan, ListsOfAnotherLengthAreRefused) {
  Tensors<float> x({4, 5}, 3, -1, 1), y({4}, 5, -1, 1);
  const mt::Plan<float> plan = x.plan();
  const mt::List<float> list = y.list(), empty;
  EXPECT_EQ(mt::axpby(1.0f, list, 1.0f, plan, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(mt::axpby(1.0f, empty, 1.0f, plan, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(mt::scale(plan, static_cast<const float*>(nullptr), nullptr), cudaErrorInvalidValue);
  mt::AdamW options;
  options.step = 0;
  EXPECT_EQ(mt::adamw(plan, list, list, list, options, nullptr), cudaErrorInvalidValue);
}

}  // namespace

int main(int argc, char** argv) { return gpu_test::run_all(argc, argv); }
