// NanGuard over the fake runtime: how late a planted NaN is told, for each way to feed the guard and each pace of the
// device, and that the loop does not wait.
#include "syncsniff/nan_guard.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "tests/runtime/kernels/fake_runtime.h"

namespace syncsniff {
namespace {

constexpr std::uint64_t kPlanted = 137;
constexpr std::uint32_t kLag = 5;

enum class Feed { kStamped, kUnstamped, kOwnFlag, kValue };

class NanGuardTest : public testing::TestWithParam<Feed> {
 protected:
  void SetUp() override {
    fake_cuda::reset();
    ASSERT_EQ(cudaMalloc(&block_, sizeof(float)), cudaSuccess);
    *static_cast<float*>(block_) = 0.0f;
  }
  void TearDown() override { cudaFree(block_); }

  // One step of the device, bad from `planted` on or, if not `lasting`, in that step alone.
  void step(NanGuard& guard, std::uint64_t step, std::uint64_t planted, bool lasting = true) {
    const bool bad = lasting ? step >= planted : step == planted;
    auto* value = static_cast<float*>(block_);
    auto* word = static_cast<std::uint32_t*>(block_);
    std::uint32_t* flag = guard.flag();
    const std::uint32_t stamp = NanGuard::stamp_of(GetParam() == Feed::kStamped ? step : NanGuard::kStepOfReading);
    switch (GetParam()) {
      case Feed::kStamped:
      case Feed::kUnstamped:
        fake_cuda::launch(nullptr, [=] { *flag = *flag == 0 && bad ? stamp : *flag; });
        ASSERT_EQ(guard.read_flag(step, nullptr), cudaSuccess);
        break;
      case Feed::kOwnFlag:
        fake_cuda::launch(nullptr, [=] { *word = bad ? 1 : 0; });
        ASSERT_EQ(guard.read_flag(step, nullptr, word), cudaSuccess);
        break;
      case Feed::kValue:
        fake_cuda::launch(nullptr, [=] { *value = bad ? std::numeric_limits<float>::quiet_NaN() : 1e38f; });
        ASSERT_EQ(guard.read_value(value, step, nullptr), cudaSuccess);
        break;
    }
  }
  static constexpr std::size_t kOperations = 3;  // of one step in the stream

  void* block_ = nullptr;
};

// Runs `step` with 0, 1, ... and checks as step first + 0, first + 1, ... until something is told.
std::optional<NonFinite> told_with(NanGuard& guard, std::uint64_t steps, const std::function<void(std::uint64_t)>& step,
                                   std::uint64_t first = 0) {
  std::optional<NonFinite> told;
  for (std::uint64_t i = 0; i < steps && !told; ++i) {
    step(i);
    try {
      EXPECT_TRUE(guard.check(first + i));
    } catch (const NonFiniteError& error) {
      told = NonFinite{error.step(), error.noticed_at()};
    }
  }
  return told;
}

TEST_P(NanGuardTest, ToldAsSoonAsTheDeviceIsThereAndNeverWaits) {
  for (const std::uint64_t behind : {0, 1, 3, static_cast<int>(kLag)}) {
    NanGuard guard(kLag);
    const fake_cuda::ForbidWaiting forbid;
    const auto told = told_with(guard, 200, [&](std::uint64_t i) {
      step(guard, i, kPlanted);
      if (i >= behind) fake_cuda::run(nullptr, kOperations);
    });
    ASSERT_TRUE(told);
    EXPECT_EQ(told->step, kPlanted);
    EXPECT_EQ(told->noticed_at, kPlanted + behind);
    fake_cuda::run_all();
  }
}

TEST_P(NanGuardTest, WithWhenLateWaitToldAfterMaxLagWhateverThePace) {
  NanGuard guard(kLag, WhenLate::kWait);
  const auto told = told_with(guard, 200, [&](std::uint64_t i) { step(guard, i, kPlanted); });
  ASSERT_TRUE(told);
  EXPECT_EQ(told->step, kPlanted);
  EXPECT_EQ(told->noticed_at, kPlanted + kLag);
  EXPECT_EQ(guard.lag(), kLag) << "it waited for more than it had to";
  EXPECT_EQ(guard.skipped(), 0u);
}

TEST_P(NanGuardTest, WithWhenLateWaitADeviceInTimeIsNotWaitedFor) {
  NanGuard guard(kLag, WhenLate::kWait);
  const fake_cuda::ForbidWaiting forbid;
  const auto told = told_with(guard, 200, [&](std::uint64_t i) {
    step(guard, i, kPlanted);
    if (i >= kLag) fake_cuda::run(nullptr, kOperations);
  });
  ASSERT_TRUE(told);
  EXPECT_LE(told->noticed_at, kPlanted + kLag);
}

// More reads a step than the ring was made for: the bound still holds, by waiting.
TEST_P(NanGuardTest, WithWhenLateWaitNoReadIsLeftOut) {
  NanGuard guard(kLag, WhenLate::kWait);
  const auto told = told_with(guard, 200, [&](std::uint64_t i) {
    for (int read = 0; read < 4; ++read) step(guard, i, kPlanted, false);
  });
  ASSERT_TRUE(told);
  EXPECT_EQ(told->step, kPlanted);
  EXPECT_LE(told->noticed_at, kPlanted + kLag);
  EXPECT_EQ(guard.skipped(), 0u);
}

TEST_P(NanGuardTest, ARingMadeForFourReadsAStepHoldsThem) {
  NanGuard guard(kLag, WhenLate::kGoOn, 4);
  const fake_cuda::ForbidWaiting forbid;
  const auto told = told_with(guard, 200, [&](std::uint64_t i) {
    for (int read = 0; read < 4; ++read) step(guard, i, kPlanted, false);
    if (i >= kLag) fake_cuda::run(nullptr, 4 * kOperations);
  });
  ASSERT_TRUE(told);
  EXPECT_EQ(told->noticed_at, kPlanted + kLag);
  EXPECT_EQ(guard.skipped(), 0u);
}

// Far behind, copies are left out; what stays wrong is still told, with the right step where the flag has a stamp.
TEST_P(NanGuardTest, AHopelesslyLateDeviceIsToldAtTheEnd) {
  NanGuard guard(kLag);
  {
    const fake_cuda::ForbidWaiting forbid;
    for (std::uint64_t i = 0; i < 200; ++i) {
      step(guard, i, kPlanted);
      EXPECT_TRUE(guard.check(i));
      if (i == 130) fake_cuda::run(nullptr, 3);  // makes room for a copy or two, no more
    }
  }
  EXPECT_GT(guard.skipped(), 0u);
  fake_cuda::run_all();
  step(guard, 200, kPlanted);
  try {
    guard.finish(200);
    FAIL();
  } catch (const NonFiniteError& error) {
    EXPECT_EQ(error.step(), GetParam() == Feed::kStamped ? kPlanted : 200u);
    EXPECT_STREQ(error.what(), GetParam() == Feed::kStamped ? "NaN or infinity at step 137, noticed at step 200"
                                                            : "NaN or infinity at step 200, noticed at step 200");
  }
}

// A check() now and then must not lose a NaN that lasted one step, although the ring holds fewer results.
TEST_P(NanGuardTest, RareChecksLoseNothing) {
  NanGuard guard(kLag);
  for (std::uint64_t i = 0; i < 200; ++i) {
    step(guard, i, kPlanted, false);
    fake_cuda::run_all();
  }
  try {
    guard.check(200);
    FAIL();
  } catch (const NonFiniteError& error) {
    EXPECT_EQ(error.step(), kPlanted);
  }
}

TEST_P(NanGuardTest, CallbackIsCalledOnceAndResetStartsAgain) {
  NanGuard guard(kLag);
  int calls = 0;
  guard.on_non_finite([&](const NonFinite& found) {
    ++calls;
    EXPECT_EQ(found.step, calls == 1 ? 3u : 23u);
  });
  for (std::uint64_t i = 0; i < 10; ++i) {
    step(guard, i, 3);
    if (i >= 2) fake_cuda::run(nullptr, kOperations);
    EXPECT_EQ(guard.check(i), i < 5);
  }
  EXPECT_EQ(calls, 1);
  EXPECT_GT(guard.lag(), 0u);  // results of the bad run are still on their way
  ASSERT_EQ(guard.reset(nullptr), cudaSuccess);
  fake_cuda::run_all();
  EXPECT_TRUE(guard.check(10));
  for (std::uint64_t i = 10; i < 30; ++i) {
    step(guard, i, 23);
    fake_cuda::run_all();
    EXPECT_EQ(guard.check(i), i < 23);
  }
  EXPECT_EQ(calls, 2);
}

// From step 104 back to a checkpoint of step 50, results of before still on their way: the steps decrease, the bound is
// that of the new steps, and what it costs is the wait for the one result.
TEST_P(NanGuardTest, WithWhenLateWaitTheBoundHoldsBackAtACheckpoint) {
  NanGuard guard(kLag, WhenLate::kWait);
  for (std::uint64_t i = 100; i < 105; ++i) {
    step(guard, i, kPlanted);
    ASSERT_TRUE(guard.check(i));
  }
  ASSERT_EQ(guard.reset(nullptr), cudaSuccess);
  const auto told = told_with(guard, 200, [&](std::uint64_t i) { step(guard, 50 + i, 52); }, 50);
  ASSERT_TRUE(told);
  EXPECT_EQ(told->step, 52u);
  EXPECT_EQ(told->noticed_at, 52 + kLag);
  EXPECT_EQ(guard.lag(), kLag) << "it waited for more than it had to";
  EXPECT_EQ(guard.skipped(), 0u);
}

// What a reset() forgot stays forgotten, however many follow; what is enqueued after the last one counts.
TEST_P(NanGuardTest, NoNumberOfResetsBringsAnOldResultBack) {
  for (const int resets : {1, 4, 15, 16, 17, 64, 255, 256, 257, 512, 65536}) {
    NanGuard guard(kLag);
    step(guard, 1, 0);
    for (int i = 0; i < resets; ++i) {
      ASSERT_EQ(guard.reset(nullptr), cudaSuccess);
      if (i % 50 == 10) step(guard, 2, 0);  // the ring is soon full of them
    }
    fake_cuda::run_all();
    ASSERT_EQ(guard.reset(nullptr), cudaSuccess);
    EXPECT_TRUE(guard.check(2)) << resets << " resets";
    step(guard, 3, 4);
    step(guard, 4, 4);
    fake_cuda::run_all();
    try {
      guard.check(4);
      ADD_FAILURE() << "not told after " << resets << " resets";
    } catch (const NonFiniteError& error) {
      EXPECT_EQ(error.step(), 4u);
    }
  }
}

// The device gets there between the guard's look and the copy that finds the ring full: the result is not given up.
TEST_P(NanGuardTest, AResultThatArrivesWhileTheRingIsFullIsNotLost) {
  NanGuard guard(1);
  for (std::uint64_t i = 0; i < 4; ++i) step(guard, i, 0, false);
  fake_cuda::run_all();
  fake_cuda::fail_next("cudaEventQuery", cudaErrorNotReady);
  step(guard, 4, 0, false);
  try {
    guard.check(4);
    FAIL();
  } catch (const NonFiniteError& error) {
    EXPECT_EQ(error.step(), 0u);
  }
  EXPECT_EQ(guard.skipped(), 1u);
}

// A device that is more than the ring behind, a NaN of one step: only the flag remembers it. skipped() says that the
// others may have missed something.
TEST_P(NanGuardTest, BeyondTheRingOnlyTheGuardsFlagRemembersOneStep) {
  NanGuard guard(kLag);
  for (std::uint64_t i = 0; i < 40; ++i) step(guard, i, 20, false);
  EXPECT_GT(guard.skipped(), 0u);
  fake_cuda::run_all();
  EXPECT_TRUE(guard.check(40));
  step(guard, 40, 20, false);
  const bool remembered = GetParam() == Feed::kStamped || GetParam() == Feed::kUnstamped;
  try {
    EXPECT_TRUE(guard.finish(40));
    EXPECT_FALSE(remembered);
  } catch (const NonFiniteError& error) {
    EXPECT_TRUE(remembered);
    EXPECT_EQ(error.step(), GetParam() == Feed::kStamped ? 20u : 40u);
  }
}

INSTANTIATE_TEST_SUITE_P(Feeds, NanGuardTest,
                         testing::Values(Feed::kStamped, Feed::kUnstamped, Feed::kOwnFlag, Feed::kValue));

TEST(NanGuard, ACleanRunIsCleanAndCostsACopyAStep) {
  fake_cuda::reset();
  NanGuard guard(4);
  const std::size_t copies = fake_cuda::calls("cudaMemcpyAsync"), allocations = fake_cuda::calls("cudaHostAlloc");
  for (std::uint64_t i = 0; i < 100; ++i) {
    ASSERT_EQ(guard.read_flag(i, nullptr), cudaSuccess);
    fake_cuda::run_all();
    const fake_cuda::ForbidWaiting forbid;
    EXPECT_TRUE(guard.check(i));
  }
  EXPECT_TRUE(guard.finish(100));
  EXPECT_EQ(fake_cuda::calls("cudaMemcpyAsync") - copies, 100u);
  EXPECT_EQ(fake_cuda::calls("cudaHostAlloc"), allocations);
}

TEST(NanGuard, StampsTellStepsApartUpToTheLast) {
  EXPECT_EQ(NanGuard::stamp_of(0), 1u);
  EXPECT_EQ(NanGuard::stamp_of(0xfffffffdu), 0xfffffffeu);
  EXPECT_EQ(NanGuard::stamp_of(0xfffffffeu), 0xffffffffu);
  EXPECT_EQ(NanGuard::stamp_of(NanGuard::kStepOfReading), 0xffffffffu);
}

TEST(NanGuard, AFailedCopyIsAnExceptionOfCheck) {
  fake_cuda::reset();
  NanGuard guard(4);
  ASSERT_EQ(guard.read_flag(0, nullptr), cudaSuccess);
  fake_cuda::fail_next("cudaEventQuery", cudaErrorIllegalAddress);
  EXPECT_THROW(guard.check(0), CudaError);
}

// 2^33 slots a read, 2^31 reads a step: the product is 0, which would be a ring of one.
TEST(NanGuard, ARingTooLargeForASizeIsAnError) {
  fake_cuda::reset();
  EXPECT_THROW(NanGuard(~std::uint32_t{0}, WhenLate::kGoOn, std::uint32_t{1} << 31), CudaError);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

// A step that the ring is full for, and one that is captured: the error is said in both.
TEST(NanGuard, ACapturedStreamIsAnErrorWithAFullRingToo) {
  fake_cuda::reset();
  NanGuard guard(1);
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  for (std::uint64_t i = 0; i < 5; ++i) ASSERT_EQ(guard.read_flag(i, nullptr), cudaSuccess);
  EXPECT_EQ(guard.skipped(), 1u);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  EXPECT_EQ(guard.read_flag(5, stream), cudaErrorStreamCaptureUnsupported);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(guard.skipped(), 1u);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}

TEST(NonFiniteBits, InfinitiesAndNansAlone) {
  const auto bits = [](float value) {
    std::uint32_t word;
    std::memcpy(&word, &value, sizeof(word));
    return word;
  };
  for (const float good : {0.0f, -0.0f, 1.0f, std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest(),
                           std::numeric_limits<float>::denorm_min()}) {
    EXPECT_FALSE(detail::is_non_finite_fp32(bits(good))) << good;
  }
  for (const float bad : {INFINITY, -INFINITY, NAN, -NAN, std::numeric_limits<float>::signaling_NaN()}) {
    EXPECT_TRUE(detail::is_non_finite_fp32(bits(bad))) << bad;
  }
}

}  // namespace
}  // namespace syncsniff
