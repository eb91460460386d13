// GraphedStep over the fake runtime: what is captured when, what a replay runs, and what failures leave behind.
#include "syncsniff/graphed_step.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <vector>

#include "tests/runtime/kernels/fake_runtime.h"

namespace syncsniff {
namespace {

class GraphedStepTest : public testing::Test {
 protected:
  void SetUp() override { fake_cuda::reset(); }
  // `launches` kernels that each note `key`.
  auto noting(int key, int launches = 1) {
    return [this, key, launches](cudaStream_t stream) {
      ++calls_;
      for (int i = 0; i < launches; ++i) fake_cuda::launch(stream, [this, key] { ran_.push_back(key); });
    };
  }
  using Step = GraphedStep<std::tuple<int>>;
  static GraphedStepOptions with(unsigned warm_up, std::size_t max_graphs) {
    GraphedStepOptions options;
    options.warm_up = warm_up;
    options.max_graphs = max_graphs;
    return options;
  }

  int calls_ = 0;
  std::vector<int> ran_;
};

TEST_F(GraphedStepTest, CapturesOnceAndReplays) {
  GraphedStep<> step;
  const fake_cuda::ForbidWaiting forbid;
  for (int i = 0; i < 10; ++i) ASSERT_EQ(step.run(nullptr, noting(1, 3)), cudaSuccess);
  EXPECT_TRUE(ran_.empty()) << "a capture ran something";
  fake_cuda::run_all();
  EXPECT_EQ(ran_, std::vector<int>(30, 1));
  EXPECT_EQ(calls_, 2);  // the warm-up and the capture
  EXPECT_EQ(step.captures(), 1u);
  EXPECT_EQ(step.replays(), 9u);
  EXPECT_EQ(fake_cuda::calls("cudaGraphLaunch"), 9u);
  EXPECT_TRUE(step.why().empty());
}

TEST_F(GraphedStepTest, AKeyOfBeforeNeedsNoCapture) {
  Step step(with(0, 2));
  for (int i = 0; i < 10; ++i) ASSERT_EQ(step.run({i % 2}, nullptr, noting(i % 2)), cudaSuccess);
  fake_cuda::run_all();
  EXPECT_EQ(ran_, (std::vector<int>{0, 1, 0, 1, 0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(step.captures(), 2u);
  EXPECT_EQ(step.instantiations(), 2u);
}

TEST_F(GraphedStepTest, ANewKeyUpdatesTheGraphNotUsedForLongest) {
  Step step(with(0, 2));
  for (int key : {0, 1, 0, 2}) ASSERT_EQ(step.run({key}, nullptr, noting(key)), cudaSuccess);  // 2 takes 1's place
  EXPECT_EQ(step.updates(), 1u);
  EXPECT_EQ(step.instantiations(), 2u);
  ASSERT_EQ(step.run({0}, nullptr, noting(0)), cudaSuccess);
  EXPECT_EQ(step.captures(), 3u) << "0 was thrown out";
  ASSERT_EQ(step.run({1}, nullptr, noting(1)), cudaSuccess);
  EXPECT_EQ(step.captures(), 4u);
  fake_cuda::run_all();
  EXPECT_EQ(ran_, (std::vector<int>{0, 1, 0, 2, 0, 1}));
}

TEST_F(GraphedStepTest, AnotherShapeIsInstantiatedAnew) {
  Step step(with(0, 1));
  ASSERT_EQ(step.run({1}, nullptr, noting(1, 1)), cudaSuccess);
  ASSERT_EQ(step.run({2}, nullptr, noting(2, 2)), cudaSuccess);
  fake_cuda::run_all();
  EXPECT_EQ(ran_, (std::vector<int>{1, 2, 2}));
  EXPECT_EQ(step.updates(), 0u);
  EXPECT_EQ(step.instantiations(), 2u);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess) << "the failed update's error was left behind";
}

TEST_F(GraphedStepTest, WhatCannotBeCapturedIsSaidAndNothingRuns) {
  Step step(with(0, 1));
  void* memory = nullptr;
  const cudaError_t code = step.run({1}, nullptr, [&](cudaStream_t stream) {
    fake_cuda::launch(stream, [&] { ran_.push_back(1); });
    cudaMalloc(&memory, 16);
  });
  EXPECT_EQ(code, cudaErrorStreamCaptureUnsupported);
  EXPECT_NE(step.why().find("cudaMalloc"), std::string::npos) << step.why();
  fake_cuda::run_all();
  EXPECT_TRUE(ran_.empty());
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  ASSERT_EQ(step.run({1}, nullptr, noting(1)), cudaSuccess) << "it does not recover";
}

// cudaErrorNotReady is the answer of a query, which the runtime keeps like an error.
TEST_F(GraphedStepTest, AnAnswerOfNotReadyIsNoFailure) {
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), cudaSuccess);
  fake_cuda::launch(nullptr, [] {});
  ASSERT_EQ(cudaEventRecord(event, nullptr), cudaSuccess);
  Step step(with(0, 2));
  ASSERT_EQ(cudaEventQuery(event), cudaErrorNotReady);
  ASSERT_EQ(step.run({1}, nullptr, noting(1)), cudaSuccess) << step.why();
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  // In the step: an allocator that polls its events, in relaxed mode.
  const auto polls = [&](cudaStream_t stream) {
    noting(2)(stream);
    EXPECT_EQ(cudaEventQuery(event), cudaErrorNotReady);
  };
  ASSERT_EQ(step.run({2}, nullptr, polls), cudaSuccess) << step.why();
  EXPECT_EQ(step.captures(), 2u);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  fake_cuda::run_all();
  EXPECT_EQ(ran_, (std::vector<int>{1, 2}));
  cudaEventDestroy(event);
}

TEST_F(GraphedStepTest, AnEarlierErrorIsNotTakenForTheSteps) {
  Step step(with(0, 1));
  fake_cuda::fail_next("cudaEventRecord", cudaErrorInvalidResourceHandle);
  ASSERT_NE(cudaEventRecord(nullptr, nullptr), cudaSuccess);
  EXPECT_EQ(step.run({1}, nullptr, noting(1)), cudaErrorInvalidResourceHandle);
  EXPECT_NE(step.why().find("before the capture"), std::string::npos) << step.why();
  EXPECT_EQ(calls_, 0);
}

TEST_F(GraphedStepTest, ALimitThatIsNoneKeepsEveryGraph) {
  Step step(with(0, ~std::size_t{0}));
  for (int i = 0; i < 40; ++i) ASSERT_EQ(step.run({i % 20}, nullptr, noting(i % 20)), cudaSuccess) << step.why();
  EXPECT_EQ(step.instantiations(), 20u);
  fake_cuda::run_all();
  EXPECT_EQ(ran_.size(), 40u);
}

TEST_F(GraphedStepTest, AFailedInstantiationLeavesNoPlaceTaken) {
  Step step(with(0, 2));
  fake_cuda::fail_next("cudaGraphInstantiateWithFlags", cudaErrorMemoryAllocation);
  EXPECT_EQ(step.run({1}, nullptr, noting(1)), cudaErrorMemoryAllocation);
  for (int key : {1, 2, 1, 2}) ASSERT_EQ(step.run({key}, nullptr, noting(key)), cudaSuccess);
  EXPECT_EQ(step.captures(), 3u);
  EXPECT_EQ(step.updates(), 0u);
  fake_cuda::run_all();
  EXPECT_EQ(ran_, (std::vector<int>{1, 2, 1, 2}));
}

TEST_F(GraphedStepTest, AnEmptyStepIsAnErrorNotAnEmptyGraph) {
  Step step(with(0, 1));
  EXPECT_EQ(step.run({1}, nullptr, [](cudaStream_t) {}), cudaErrorInvalidValue);
  EXPECT_NE(step.why().find("enqueued nothing"), std::string::npos) << step.why();
}

TEST_F(GraphedStepTest, TheStepsOwnErrorAndExceptionPassThrough) {
  Step step(with(1, 1));
  EXPECT_EQ(step.run({1}, nullptr, [](cudaStream_t) { return cudaErrorNotSupported; }), cudaErrorNotSupported);
  EXPECT_EQ(step.run({1}, nullptr, [](cudaStream_t) { return cudaErrorNotSupported; }), cudaErrorNotSupported);
  EXPECT_THROW(static_cast<void>(step.run({1}, nullptr, [](cudaStream_t) { throw std::runtime_error("no"); })),
               std::runtime_error);
  ASSERT_EQ(step.run({1}, nullptr, noting(1)), cudaSuccess);
  EXPECT_EQ(step.captures(), 1u);
}

// Only ==, copies that may throw, and no assignment: all that a key must offer.
struct CountedKey {
  explicit CountedKey(int of) : value(of) {}
  CountedKey(const CountedKey& other) : value(other.value) {
    if (copies_left-- == 0) throw std::bad_alloc();
  }
  CountedKey& operator=(const CountedKey&) = delete;
  bool operator==(const CountedKey& other) const { return value == other.value; }
  static inline int copies_left = -1;
  const int value;
};

TEST_F(GraphedStepTest, AKeyThatCannotBeCopiedLeavesTheGraphsRight) {
  for (int copies = 0; copies < 3; ++copies) {
    ran_.clear();
    GraphedStep<CountedKey> step(with(0, 1));
    ASSERT_EQ(step.run(CountedKey(1), nullptr, noting(1)), cudaSuccess);
    CountedKey::copies_left = copies;
    try {
      static_cast<void>(step.run(CountedKey(2), nullptr, noting(2)));
    } catch (const std::bad_alloc&) {
    }
    CountedKey::copies_left = -1;
    fake_cuda::run_all();
    ran_.clear();
    for (int key : {1, 2, 1}) ASSERT_EQ(step.run(CountedKey(key), nullptr, noting(key)), cudaSuccess);
    fake_cuda::run_all();
    EXPECT_EQ(ran_, (std::vector<int>{1, 2, 1})) << copies;
  }
}

// As the one above, but the assignment throws.
struct ThrowingKey {
  explicit ThrowingKey(int of) : value(of) {}
  ThrowingKey(const ThrowingKey&) = default;
  ThrowingKey& operator=(const ThrowingKey& other) {
    if (throws) throw std::bad_alloc();
    value = other.value;
    return *this;
  }
  bool operator==(const ThrowingKey& other) const { return value == other.value; }
  static inline bool throws = false;
  int value;
};

TEST_F(GraphedStepTest, AKeyThatCannotBeAssignedFindsNoOtherGraph) {
  GraphedStep<ThrowingKey> step(with(0, 1));
  ASSERT_EQ(step.run(ThrowingKey(1), nullptr, noting(1)), cudaSuccess);
  ThrowingKey::throws = true;
  try {
    static_cast<void>(step.run(ThrowingKey(2), nullptr, noting(2)));
  } catch (const std::bad_alloc&) {
  }
  ThrowingKey::throws = false;
  fake_cuda::run_all();
  ran_.clear();
  ASSERT_EQ(step.run(ThrowingKey(1), nullptr, noting(1)), cudaSuccess);
  fake_cuda::run_all();
  EXPECT_EQ(ran_, (std::vector<int>{1}));
}

TEST_F(GraphedStepTest, AFailedReplacementForgetsTheGraph) {
  Step step(with(0, 1));
  ASSERT_EQ(step.run({1}, nullptr, noting(1, 1)), cudaSuccess);
  fake_cuda::fail_next("cudaGraphInstantiateWithFlags", cudaErrorMemoryAllocation);
  EXPECT_EQ(step.run({2}, nullptr, noting(2, 2)), cudaErrorMemoryAllocation);
  ASSERT_EQ(step.run({1}, nullptr, noting(1, 1)), cudaSuccess);
  EXPECT_EQ(step.captures(), 3u) << "the half-changed graph was used again";
  fake_cuda::run_all();
  EXPECT_EQ(ran_, (std::vector<int>{1, 1}));
}

}  // namespace
}  // namespace syncsniff
