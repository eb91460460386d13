// multi_tensor::sum on a real GPU against float64 references: odd sizes, misaligned pointers, empty tensors, inf and
// NaN, the same bits every time. Exits with 77 (skipped) where there is no device.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <syncsniff/multi_tensor.cuh>
#include <vector>

namespace {

namespace mt = syncsniff::multi_tensor;

#define ASSERT_CUDA(call) ASSERT_EQ(call, cudaSuccess)

float to_float(float value) { return value; }
float to_float(__half value) { return __half2float(value); }
float to_float(__nv_bfloat16 value) { return __bfloat162float(value); }
template <typename T>
T from_float(float value);
template <>
float from_float<float>(float value) {
  return value;
}
template <>
__half from_float<__half>(float value) {
  return __float2half(value);
}
template <>
__nv_bfloat16 from_float<__nv_bfloat16>(float value) {
  return __float2bfloat16(value);
}

// Tensors in one device block, tensor i `misalignment[i]` elements past a 16-byte boundary; outputs beside them.
template <typename T>
class Tensors {
 public:
  void add(std::uint64_t elements, std::size_t misalignment = 0) {
    constexpr std::size_t kPerBoundary = 16 / sizeof(T);
    begins_.push_back((host_.size() + kPerBoundary - 1) / kPerBoundary * kPerBoundary + misalignment);
    elements_.push_back(elements);
    host_.resize(begins_.back() + elements, from_float<T>(1e4f));  // what is read by mistake is seen
    for (std::uint64_t i = 0; i < elements; ++i) host_[begins_.back() + i] = from_float<T>(values_(random_));
  }
  void set(std::size_t tensor, std::uint64_t element, float value) {
    host_[begins_[tensor] + element] = from_float<T>(value);
  }
  void upload() {
    host_.resize(host_.size() + 64, from_float<T>(1e4f));
    ASSERT_CUDA(cudaMalloc(&block_, host_.size() * sizeof(T)));
    ASSERT_CUDA(cudaMemcpy(block_, host_.data(), host_.size() * sizeof(T), cudaMemcpyHostToDevice));
    ASSERT_CUDA(cudaMalloc(&sums_, (elements_.size() + 1) * sizeof(float)));
    pointers_.clear();
    for (std::size_t begin : begins_) pointers_.push_back(block_ + begin);
  }
  void build(mt::Plan<T>& plan, std::uint32_t chunk_bytes = 0) {
    ASSERT_CUDA(plan.build(pointers_.data(), elements_.data(), elements_.size(), nullptr, chunk_bytes));
  }
  // Per-tensor sums, then the total.
  std::vector<float> read() {
    std::vector<float> out(elements_.size() + 1);
    EXPECT_EQ(cudaMemcpy(out.data(), sums_, out.size() * sizeof(float), cudaMemcpyDeviceToHost), cudaSuccess);
    return out;
  }
  std::vector<float> sum(const mt::Plan<T>& plan, cudaStream_t stream = nullptr) {
    EXPECT_EQ(cudaMemset(sums_, 0xff, (elements_.size() + 1) * sizeof(float)), cudaSuccess);
    EXPECT_EQ(mt::sum(plan, sums_, total(), stream), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    return read();
  }
  // In fp64, with the sum of magnitudes that scales the error allowed.
  void expect_right(const std::vector<float>& sums) {
    double all = 0.0, all_magnitude = 0.0;
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      double expected = 0.0, magnitude = 0.0;
      for (std::uint64_t j = 0; j < elements_[i]; ++j) {
        const double value = to_float(host_[begins_[i] + j]);
        expected += value;
        magnitude += std::fabs(value);
      }
      EXPECT_NEAR(sums[i], expected, 2e-6 * magnitude) << "tensor " << i << " of " << elements_[i];
      all += expected;
      all_magnitude += magnitude;
    }
    EXPECT_NEAR(sums.back(), all, 2e-6 * all_magnitude);
  }
  float* sums() { return sums_; }
  float* total() { return sums_ + elements_.size(); }
  ~Tensors() {
    cudaFree(block_);
    cudaFree(sums_);
  }

 private:
  std::mt19937 random_{11};
  std::uniform_real_distribution<float> values_{-1.0f, 1.5f};
  std::vector<T> host_;
  std::vector<std::size_t> begins_;
  std::vector<std::uint64_t> elements_;
  T* block_ = nullptr;
  float* sums_ = nullptr;
  std::vector<const T*> pointers_;
};

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

template <typename T>
class MultiTensorSum : public testing::Test {};
using Types = testing::Types<float, __half, __nv_bfloat16>;
TYPED_TEST_SUITE(MultiTensorSum, Types);

TYPED_TEST(MultiTensorSum, OddSizesAtEveryAlignment) {
  Tensors<TypeParam> tensors;
  for (std::uint64_t elements : {0, 1, 2, 3, 7, 8, 9, 31, 33, 255, 257, 1023, 4095, 4096, 4097, 8191, 16385, 17000}) {
    for (std::size_t misalignment = 0; misalignment < 16 / sizeof(TypeParam); ++misalignment) {
      tensors.add(elements, misalignment);
    }
  }
  tensors.upload();
  for (std::uint32_t chunk_bytes : {0u, 16u, 4096u, 65536u}) {
    mt::Plan<TypeParam> plan;
    tensors.build(plan, chunk_bytes);
    tensors.expect_right(tensors.sum(plan));
  }
}

TYPED_TEST(MultiTensorSum, AThousandTensorsTheSameBitsOverAHundredRuns) {
  Tensors<TypeParam> tensors;
  std::mt19937 random(3);
  for (int i = 0; i < 1000; ++i) tensors.add(1 + random() % 17000, random() % (16 / sizeof(TypeParam)));
  tensors.upload();
  mt::Plan<TypeParam> plan, rebuilt;
  tensors.build(plan);
  tensors.build(rebuilt);
  const std::vector<float> first = tensors.sum(plan);
  tensors.expect_right(first);
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(same_bits(first, tensors.sum(i % 2 == 0 ? plan : rebuilt))) << "run " << i;
}

TYPED_TEST(MultiTensorSum, OneLongTensorBesideShortOnes) {
  Tensors<TypeParam> tensors;
  tensors.add(5);
  tensors.add((1u << 24) + 13, 1);
  tensors.add(0);
  tensors.add(100);
  tensors.upload();
  mt::Plan<TypeParam> plan;
  tensors.build(plan);
  const std::vector<float> first = tensors.sum(plan);
  tensors.expect_right(first);
  EXPECT_TRUE(same_bits(first, tensors.sum(plan)));
}

TEST(MultiTensorSumFloat, InfinityAndNanStayInTheirTensor) {
  Tensors<float> tensors;
  for (int i = 0; i < 4; ++i) tensors.add(9001);
  tensors.set(1, 9000, INFINITY);
  tensors.set(2, 4096, NAN);
  tensors.upload();
  mt::Plan<float> plan;
  tensors.build(plan);
  const std::vector<float> sums = tensors.sum(plan);
  EXPECT_TRUE(std::isfinite(sums[0]) && std::isfinite(sums[3]));
  EXPECT_TRUE(std::isinf(sums[1]));
  EXPECT_TRUE(std::isnan(sums[2]) && std::isnan(sums[4]));
}

TEST(MultiTensorSumFloat, EitherOutputMayBeLeftOut) {
  Tensors<float> tensors;
  tensors.add(100000);
  tensors.add(3);
  tensors.upload();
  mt::Plan<float> plan;
  tensors.build(plan);
  const std::vector<float> both = tensors.sum(plan);
  ASSERT_CUDA(cudaMemset(tensors.sums(), 0, 3 * sizeof(float)));
  ASSERT_CUDA(mt::sum(plan, tensors.sums(), static_cast<float*>(nullptr), nullptr));
  EXPECT_TRUE(same_bits(tensors.read(), {both[0], both[1], 0.0f}));
  ASSERT_CUDA(cudaMemset(tensors.sums(), 0, 3 * sizeof(float)));
  ASSERT_CUDA(mt::sum(plan, static_cast<float*>(nullptr), tensors.total(), nullptr));
  EXPECT_TRUE(same_bits(tensors.read(), {0.0f, 0.0f, both[2]}));
}

TEST(MultiTensorSumFloat, NoTensorsSumToZero) {
  Tensors<float> tensors;
  tensors.upload();
  mt::Plan<float> plan;
  tensors.build(plan);
  EXPECT_TRUE(same_bits(tensors.sum(plan), {0.0f}));
}

TEST(MultiTensorSumFloat, FiveThousandTensorsCapturedIntoAGraphAndReplayed) {
  Tensors<float> tensors;
  for (int i = 0; i < 5000; ++i)
    tensors.add(1 + static_cast<std::uint64_t>(i) * 997 % 5000, static_cast<std::size_t>(i % 4));
  tensors.upload();
  mt::Plan<float> plan;
  tensors.build(plan);
  const std::vector<float> direct = tensors.sum(plan);
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  ASSERT_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  ASSERT_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  ASSERT_CUDA(mt::sum(plan, tensors.sums(), tensors.total(), stream));
  ASSERT_CUDA(cudaStreamEndCapture(stream, &graph));
  ASSERT_CUDA(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 3; ++i) {
    ASSERT_CUDA(cudaMemset(tensors.sums(), 0, 5001 * sizeof(float)));
    ASSERT_CUDA(cudaDeviceSynchronize());
    ASSERT_CUDA(cudaGraphLaunch(executable, stream));
    ASSERT_CUDA(cudaStreamSynchronize(stream));
    EXPECT_TRUE(same_bits(direct, tensors.read())) << "replay " << i;
  }
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}

TEST(MultiTensorSumFloat, BadUseIsAnErrorAndLeavesThePlanAlone) {
  mt::Plan<float> plan;
  EXPECT_EQ(mt::sum(plan, static_cast<float*>(nullptr), static_cast<float*>(nullptr), nullptr), cudaErrorInvalidValue);
  const float* null_data[] = {nullptr};
  const std::uint64_t four[] = {4};
  EXPECT_EQ(plan.build(null_data, four, 1, nullptr), cudaErrorInvalidValue);
  EXPECT_FALSE(plan.built());
  Tensors<float> tensors;
  tensors.add(10);
  tensors.upload();
  tensors.build(plan);
  EXPECT_EQ(plan.build(null_data, four, 1, nullptr, 8), cudaErrorInvalidValue);
  tensors.expect_right(tensors.sum(plan));
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::printf("skipped: no CUDA device on this machine\n");
    return 77;
  }
  return RUN_ALL_TESTS();
}
