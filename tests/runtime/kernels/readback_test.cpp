// DeferredScalar over the fake runtime: what arrives, in which order, what is given up when the ring is full, and that
// nothing in the loop waits. GraphScalar's reading side, with the test as the device.
#include "syncsniff/readback.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <vector>

#include "tests/runtime/kernels/fake_runtime.h"

namespace syncsniff {
namespace {

class Readback : public testing::Test {
 protected:
  void SetUp() override {
    fake_cuda::reset();
    ASSERT_EQ(cudaMalloc(&block_, sizeof(int)), cudaSuccess);
  }
  void TearDown() override { cudaFree(block_); }
  // What the device computes in the step, then its read-back: three operations of the stream.
  cudaError_t step(DeferredScalar<int>& scalar, int value, cudaStream_t stream = nullptr) {
    fake_cuda::launch(stream, [to = device(), value] { *to = value; });
    return scalar.enqueue(device(), stream);
  }
  static constexpr std::size_t kOperations = 3;
  int* device() { return static_cast<int*>(block_); }

  void* block_ = nullptr;
};

TEST_F(Readback, ValuesArriveWhenTheDeviceGetsThere) {
  DeferredScalar<int> scalar(4);
  const fake_cuda::ForbidWaiting forbid;
  for (int i = 0; i < 3; ++i) ASSERT_EQ(step(scalar, 100 + i), cudaSuccess);
  EXPECT_FALSE(scalar.latest());
  EXPECT_EQ(scalar.lag(), 3u);
  fake_cuda::run(nullptr, kOperations - 1);  // copied, but its event not reached
  EXPECT_FALSE(scalar.latest());
  fake_cuda::run(nullptr, 1 + kOperations);
  ASSERT_TRUE(scalar.latest());
  EXPECT_EQ(scalar.latest()->step, 1u);
  EXPECT_EQ(scalar.latest()->value, 101);
  EXPECT_EQ(scalar.lag(), 1u);
  EXPECT_EQ(scalar.latest_step(), 1u);
  fake_cuda::run_all();
  for (int i = 0; i < 3; ++i) {
    const auto value = scalar.pop();
    ASSERT_TRUE(value);
    EXPECT_EQ(value->step, static_cast<std::uint64_t>(i));
    EXPECT_EQ(value->value, 100 + i);
  }
  EXPECT_FALSE(scalar.pop());
  EXPECT_EQ(scalar.latest()->value, 102);
  EXPECT_EQ(scalar.skipped() + scalar.overwritten(), 0u);
}

TEST_F(Readback, FullRingInFlightLeavesTheNewestOut) {
  DeferredScalar<int> scalar(2);
  {
    const fake_cuda::ForbidWaiting forbid;
    for (int i = 0; i < 5; ++i) ASSERT_EQ(step(scalar, i), cudaSuccess);
  }
  EXPECT_EQ(scalar.skipped(), 3u);
  EXPECT_EQ(scalar.overwritten(), 0u);
  ASSERT_EQ(scalar.drain(), cudaSuccess);
  EXPECT_EQ(scalar.pop()->value, 0);
  EXPECT_EQ(scalar.pop()->value, 1);
  EXPECT_FALSE(scalar.pop());
  ASSERT_EQ(step(scalar, 50), cudaSuccess);
  fake_cuda::run_all();
  EXPECT_EQ(scalar.pop()->step, 5u) << "steps that were left out still count";
}

// Steps that went back, as after a checkpoint: an older value with a larger step does not end the wait.
TEST_F(Readback, WaitForStepLooksPastALargerStepOfBefore) {
  DeferredScalar<int> scalar(8);
  for (const std::uint64_t step : {100, 101, 50, 51, 52}) {
    ASSERT_EQ(scalar.enqueue(device(), step, nullptr), cudaSuccess);
  }
  {
    const fake_cuda::ForbidWaiting forbid;
    ASSERT_EQ(scalar.wait_for_step(49), cudaSuccess);
  }
  ASSERT_EQ(scalar.wait_for_step(51), cudaSuccess);
  EXPECT_EQ(scalar.lag(), 1u);
  EXPECT_EQ(scalar.latest_step(), 51u);
}

TEST_F(Readback, SlotsTooManyForASizeAreAnError) {
  struct alignas(16) Wide {
    double values[2];
  };
  EXPECT_THROW(DeferredScalar<Wide>(std::size_t{1} << 60), CudaError);
  EXPECT_THROW(GraphScalar<Wide>(std::size_t{1} << 61), CudaError);
  EXPECT_THROW(GraphScalar<double>(std::size_t{1} << 60), CudaError);
}

TEST_F(Readback, FullRingUnreadGivesUpTheOldest) {
  DeferredScalar<int> scalar(2);
  const fake_cuda::ForbidWaiting forbid;
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(step(scalar, i), cudaSuccess);
    fake_cuda::run_all();
  }
  EXPECT_EQ(scalar.overwritten(), 3u);
  EXPECT_EQ(scalar.skipped(), 0u);
  EXPECT_EQ(scalar.latest()->value, 4);
  EXPECT_EQ(scalar.pop()->value, 3);
  EXPECT_EQ(scalar.pop()->value, 4);
}

// Any interleaving of steps, device progress and reads: values are right, in order, and every one is accounted for.
TEST_F(Readback, RandomPaceLosesNothingUncounted) {
  std::mt19937 random(7);
  for (std::size_t slots = 1; slots <= 5; ++slots) {
    fake_cuda::reset();
    DeferredScalar<int> scalar(slots);
    std::uint64_t popped = 0, after = 0;
    const auto pop_all = [&] {
      while (const auto value = scalar.pop()) {
        ASSERT_EQ(value->value, static_cast<int>(value->step) * 3);
        ASSERT_GE(value->step, after);
        after = value->step + 1;
        ++popped;
      }
    };
    {
      const fake_cuda::ForbidWaiting forbid;
      for (int i = 0; i < 2000; ++i) {
        ASSERT_EQ(step(scalar, 3 * i), cudaSuccess);
        fake_cuda::run(nullptr, random() % 7);
        if (random() % 4 == 0) pop_all();
      }
    }
    ASSERT_EQ(scalar.drain(), cudaSuccess);
    pop_all();
    EXPECT_EQ(popped + scalar.skipped() + scalar.overwritten(), 2000u);
    EXPECT_GT(popped, 0u);
    EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess) << "a query's cudaErrorNotReady was left behind";
  }
}

TEST_F(Readback, WaitForStepWaitsNoFurther) {
  DeferredScalar<int> scalar(8);
  for (int i = 0; i < 6; ++i) ASSERT_EQ(step(scalar, i), cudaSuccess);
  ASSERT_EQ(scalar.wait_for_step(2), cudaSuccess);
  EXPECT_EQ(scalar.lag(), 3u);
  EXPECT_EQ(scalar.latest_step(), 2u);
  EXPECT_EQ(fake_cuda::waits(), 3u);
}

TEST_F(Readback, ErrorsComeBackAndStay) {
  DeferredScalar<int> scalar(4);
  fake_cuda::fail_next("cudaMemcpyAsync", cudaErrorInvalidValue);
  EXPECT_EQ(step(scalar, 1), cudaErrorInvalidValue);
  ASSERT_EQ(step(scalar, 2), cudaSuccess);
  fake_cuda::fail_next("cudaEventQuery", cudaErrorLaunchFailure);
  EXPECT_FALSE(scalar.latest());
  EXPECT_EQ(scalar.status(), cudaErrorLaunchFailure);
  EXPECT_EQ(step(scalar, 3), cudaErrorLaunchFailure);
  EXPECT_EQ(scalar.drain(), cudaErrorLaunchFailure);
  cudaGetLastError();
}

// The copy is on its way to the slot, and nobody knows when it gets there.
TEST_F(Readback, ASlotWhoseEventFailedIsNotUsedAgain) {
  DeferredScalar<int> scalar(4);
  fake_cuda::fail_next("cudaEventRecord", cudaErrorUnknown);
  EXPECT_EQ(step(scalar, 1), cudaErrorUnknown);
  EXPECT_EQ(scalar.status(), cudaErrorUnknown);
  EXPECT_EQ(step(scalar, 2), cudaErrorUnknown);
  fake_cuda::run_all();
  EXPECT_FALSE(scalar.pop());
  EXPECT_EQ(fake_cuda::calls("cudaMemcpyAsync"), 1u);
  cudaGetLastError();
}

TEST_F(Readback, ConstructorTellsWhichCallFailed) {
  fake_cuda::fail_next("cudaHostAlloc", cudaErrorMemoryAllocation);
  try {
    DeferredScalar<int> scalar(4);
    FAIL();
  } catch (const CudaError& error) {
    EXPECT_STREQ(error.what(), "cudaHostAlloc: cudaErrorMemoryAllocation: out of memory");
    EXPECT_EQ(error.code(), cudaErrorMemoryAllocation);
  }
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

TEST_F(Readback, RefusesACaptureWithoutSpoilingIt) {
  DeferredScalar<int> scalar(4);
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  EXPECT_EQ(step(scalar, 1, stream), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}

struct Pair {
  double loss;
  char tag;
};

// The device's side of GraphScalar as publish_kernel does it.
template <typename T>
void write(std::vector<detail::SequencedSlot<T>>& slots, std::uint64_t sequence, const T& value) {
  detail::SequencedSlot<T>& slot = slots[(sequence - 1) % slots.size()];
  std::uint32_t words[detail::kWordsOf<T>] = {};
  std::memcpy(words, &value, sizeof(T));
  for (std::size_t i = 0; i < detail::kWordsOf<T>; ++i) slot.words[i] = words[i];
  slot.sequence = sequence;
}

TEST(Sequenced, ReadsInOrderAndCountsWhatWasOverwritten) {
  std::vector<detail::SequencedSlot<Pair>> slots(4);
  for (auto& slot : slots) slot.sequence = 0;
  std::uint64_t next = 1, missed = 0;
  const auto read = [&] { return detail::read_next(slots.data(), slots.size(), next, missed); };
  EXPECT_FALSE(read());
  EXPECT_FALSE(detail::read_newest(slots.data(), slots.size()));
  for (std::uint64_t i = 1; i <= 3; ++i) write(slots, i, Pair{0.5 * static_cast<double>(i), 'a'});
  EXPECT_EQ(detail::read_newest(slots.data(), slots.size())->sequence, 3u);
  EXPECT_EQ(read()->value.loss, 0.5);
  EXPECT_EQ(read()->value.loss, 1.0);
  for (std::uint64_t i = 4; i <= 9; ++i) write(slots, i, Pair{0.5 * static_cast<double>(i), 'b'});
  for (std::uint64_t i = 6; i <= 9; ++i) {  // 3, 4 and 5 are gone
    const auto value = read();
    ASSERT_TRUE(value);
    EXPECT_EQ(value->sequence, i);
    EXPECT_EQ(value->value.tag, 'b');
  }
  EXPECT_EQ(missed, 3u);
  EXPECT_FALSE(read());
  write(slots, 10, Pair{});
  EXPECT_EQ(read()->sequence, 10u);
}

TEST(Sequenced, ASlotBeingWrittenIsNotRead) {
  std::vector<detail::SequencedSlot<Pair>> slots(2);
  for (auto& slot : slots) slot.sequence = 0;
  std::uint64_t next = 1, missed = 0;
  write(slots, 1, Pair{1, 'a'});
  slots[0].sequence = 0;
  EXPECT_FALSE(detail::read_next(slots.data(), slots.size(), next, missed));
  write(slots, 2, Pair{2, 'b'});
  EXPECT_EQ(detail::read_newest(slots.data(), slots.size())->sequence, 2u);
  write(slots, 3, Pair{3, 'c'});
  EXPECT_EQ(detail::read_next(slots.data(), slots.size(), next, missed)->sequence, 2u);
  EXPECT_EQ(missed, 1u);
}

// Trivially copyable, but never assigned.
struct Fixed {
  const int count;
  float value;
};

TEST(Sequenced, ReadsWhatCannotBeAssigned) {
  std::vector<detail::SequencedSlot<Fixed>> slots(2);
  for (auto& slot : slots) slot.sequence = 0;
  std::uint64_t next = 1, missed = 0;
  for (std::uint64_t i = 1; i <= 4; ++i) write(slots, i, Fixed{static_cast<int>(i), 0.5f});
  EXPECT_EQ(detail::read_newest(slots.data(), slots.size())->value.count, 4);
  EXPECT_EQ(detail::read_next(slots.data(), slots.size(), next, missed)->value.count, 3);
  EXPECT_EQ(missed, 2u);
}

TEST(GraphScalar, ReadingMakesNoCudaCall) {
  fake_cuda::reset();
  GraphScalar<double> scalar(4);
  const std::size_t before = fake_cuda::calls();
  EXPECT_FALSE(scalar.latest());
  EXPECT_FALSE(scalar.pop());
  const double value = 2.5;
  std::uint32_t words[2];
  std::memcpy(words, &value, sizeof(value));
  scalar.view().slots[0].words[0] = words[0];
  scalar.view().slots[0].words[1] = words[1];
  scalar.view().slots[0].sequence = 1;
  EXPECT_EQ(scalar.latest()->value, 2.5);
  EXPECT_EQ(scalar.pop()->step, 0u);
  EXPECT_EQ(fake_cuda::calls(), before);
}

}  // namespace
}  // namespace syncsniff
