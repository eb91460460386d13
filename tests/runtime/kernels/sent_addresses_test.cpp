// SentAddresses over the fake runtime: what the device has after updates, captures, replays and failures.
#include "syncsniff/detail/sent_addresses.h"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "syncsniff/graphed_step.h"
#include "tests/runtime/kernels/fake_runtime.h"

namespace syncsniff {
namespace {

using Addresses = std::vector<const void*>;

// A list as multi_tensor_plan.cuh holds one: the "device" is written when the fake stream gets there.
class SentAddressesTest : public testing::Test {
 protected:
  void SetUp() override { fake_cuda::reset(); }
  void build(const Addresses& to) {
    sent_ = detail::SentAddresses(to.data(), to.size());
    device_ = to;
  }
  cudaError_t update(const Addresses& to, cudaStream_t stream = nullptr) {
    return sent_.send(to.data(), stream, [&](const detail::MovedTensors& moved) {
      ++launches_;
      if (fails_) return cudaErrorLaunchFailure;
      fake_cuda::launch(stream, [this, moved] {
        for (std::uint32_t i = 0; i < moved.count; ++i) device_[moved.tensor[i]] = moved.data[i];
      });
      return cudaSuccess;
    });
  }
  const Addresses& device() {
    fake_cuda::run_all();
    return device_;
  }
  static Addresses numbered(std::size_t count, std::size_t from) {
    Addresses list;
    for (std::size_t i = 0; i < count; ++i) list.push_back(reinterpret_cast<const void*>((from + i) * 16));
    return list;
  }

  detail::SentAddresses sent_;
  Addresses device_;
  int launches_ = 0;
  bool fails_ = false;
};

TEST_F(SentAddressesTest, OnlyWhatMovedIsSent) {
  Addresses list = numbered(1000, 1);
  build(list);
  ASSERT_EQ(update(list), cudaSuccess);
  EXPECT_EQ(launches_, 0);
  list[7] = nullptr;
  ASSERT_EQ(update(list), cudaSuccess);
  EXPECT_EQ(launches_, 1);
  EXPECT_EQ(device(), list);
  list = numbered(1000, 5000);
  ASSERT_EQ(update(list), cudaSuccess);
  EXPECT_EQ(launches_, 1 + 4);  // 330 a launch
  EXPECT_EQ(device(), list);
}

// Each key's graph sets all of its own addresses, whichever ran before it.
TEST_F(SentAddressesTest, ReplaysOfSeveralKeysEachHaveTheirOwn) {
  const Addresses a = numbered(2, 1), b = {a[0], numbered(1, 9)[0]}, c = numbered(2, 20);
  build(a);
  GraphedStepOptions options;
  options.warm_up = 0;
  GraphedStep<std::tuple<int>> step(options);
  const auto run = [&](int key, const Addresses& list) {
    return step.run({key}, nullptr, [&](cudaStream_t stream) { ASSERT_EQ(update(list, stream), cudaSuccess); });
  };
  for (int round = 0; round < 3; ++round) {
    ASSERT_EQ(run(0, a), cudaSuccess);
    EXPECT_EQ(device(), a);
    ASSERT_EQ(run(1, b), cudaSuccess);
    EXPECT_EQ(device(), b);
    ASSERT_EQ(run(2, c), cudaSuccess);
    EXPECT_EQ(device(), c);
  }
  EXPECT_EQ(step.captures(), 3u);
}

TEST_F(SentAddressesTest, AfterACaptureThatNeverRanEverythingIsSent) {
  const Addresses a = numbered(3, 1), c = numbered(3, 20);
  build(a);
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  ASSERT_EQ(update(c, stream), cudaSuccess);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(device(), a);
  ASSERT_EQ(update(c), cudaSuccess);
  EXPECT_EQ(device(), c);
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST_F(SentAddressesTest, AFailedLaunchIsMadeUpFor) {
  const Addresses a = numbered(3, 1), c = numbered(3, 20);
  build(a);
  fails_ = true;
  EXPECT_EQ(update(c), cudaErrorLaunchFailure);
  fails_ = false;
  ASSERT_EQ(update(c), cudaSuccess);
  EXPECT_EQ(device(), c);
}

}  // namespace
}  // namespace syncsniff
