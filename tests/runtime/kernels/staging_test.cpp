// StagedCopy and Prefetcher over the fake runtime: the consumer sees every byte of the right batch at any pace of host
// and device, and the host waits only where the headers say so.
#include "syncsniff/staging.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <random>
#include <vector>

#include "tests/runtime/kernels/fake_runtime.h"

namespace syncsniff {
namespace {

class Streams {
 public:
  Streams() {
    fake_cuda::reset();
    for (cudaStream_t& stream : streams_) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  }
  ~Streams() {
    for (cudaStream_t stream : streams_) cudaStreamDestroy(stream);
  }
  cudaStream_t operator[](std::size_t i) const { return streams_[i]; }

 private:
  cudaStream_t streams_[2] = {};
};

char byte_of(std::uint64_t batch, std::size_t at) { return static_cast<char>(batch * 131 + at * 7 + at / 256); }

void fill_pattern(void* data, std::uint64_t batch, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) static_cast<char*>(data)[i] = byte_of(batch, i);
}
bool holds_pattern(const void* data, std::uint64_t batch, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) {
    if (static_cast<const char*>(data)[i] != byte_of(batch, i)) return false;
  }
  return true;
}

TEST(StagedCopy, TheSourceIsFreeAtOnceAndTheConsumerSeesTheBytes) {
  const Streams streams;
  StagedCopy staged(1000, 8);
  void* device = nullptr;
  ASSERT_EQ(cudaMalloc(&device, 6000), cudaSuccess);
  std::size_t seen = 0;
  {
    const fake_cuda::ForbidWaiting forbid;
    std::vector<char> pageable(5500);
    fill_pattern(pageable.data(), 1, pageable.size());
    ASSERT_EQ(staged.copy(device, pageable.data(), pageable.size(), streams[0]), cudaSuccess);
    std::fill(pageable.begin(), pageable.end(), 'x');
    fake_cuda::launch(streams[0], [&] { seen += holds_pattern(device, 1, 5500); });
  }
  EXPECT_EQ(seen, 0u);
  fake_cuda::run_all();
  EXPECT_EQ(seen, 1u);
  EXPECT_EQ(staged.host_waits(), 0u);
  EXPECT_EQ(staged.copy(device, nullptr, 0, streams[0]), cudaSuccess);
  cudaFree(device);
}

// The same destination every step, source sizes that vary, slots that are too few: the consumer never sees a mix.
TEST(StagedCopy, AFullRingWaitsForItsOldestSlotAndMixesNothing) {
  const Streams streams;
  StagedCopy staged(256, 2);
  void* device = nullptr;
  ASSERT_EQ(cudaMalloc(&device, 2000), cudaSuccess);
  std::mt19937 random(3);
  std::vector<char> pageable(2000);
  int seen = 0;
  for (std::uint64_t step = 0; step < 200; ++step) {
    const std::size_t bytes = random() % 2000 + 1;
    fill_pattern(pageable.data(), step, bytes);
    ASSERT_EQ(staged.copy(device, pageable.data(), bytes, streams[0]), cudaSuccess);
    fake_cuda::launch(streams[0], [&, step, bytes] { seen += holds_pattern(device, step, bytes); });
    fake_cuda::run(streams[0], random() % 4);
  }
  fake_cuda::run_all();
  EXPECT_EQ(seen, 200);
  EXPECT_GT(staged.host_waits(), 0u);
  cudaFree(device);
}

TEST(StagedCopy, AfterNothingRunsBesideTheConsumersWork) {
  const Streams streams;
  StagedCopy staged(256, 4);
  void* device = nullptr;
  ASSERT_EQ(cudaMalloc(&device, 200), cudaSuccess);
  std::vector<char> pageable(200);
  fill_pattern(pageable.data(), 4, 200);
  fake_cuda::launch(streams[0], [] {});
  const std::size_t events = fake_cuda::calls("cudaEventRecord");
  ASSERT_EQ(staged.copy(device, pageable.data(), 200, streams[0], CopyAfter::kNothing), cudaSuccess);
  EXPECT_EQ(fake_cuda::calls("cudaEventRecord"), events + 1);
  EXPECT_EQ(fake_cuda::calls("cudaStreamWaitEvent"), 1u);
  fake_cuda::run_all();
  EXPECT_TRUE(holds_pattern(device, 4, 200));
  cudaFree(device);
}

// Without its event nobody knows when the slot is free: it is not written again.
TEST(StagedCopy, ASlotWhoseEventFailedIsNotUsedAgain) {
  const Streams streams;
  void* device = nullptr;
  ASSERT_EQ(cudaMalloc(&device, 128), cudaSuccess);
  {
    StagedCopy staged(64, 1);
    std::vector<char> pageable(64, 'a');
    fake_cuda::fail_next("cudaEventRecord", cudaErrorUnknown);
    EXPECT_EQ(staged.copy(device, pageable.data(), 64, streams[0], CopyAfter::kNothing), cudaErrorUnknown);
    std::fill(pageable.begin(), pageable.end(), 'b');
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(staged.copy(static_cast<char*>(device) + 64, pageable.data(), 64, streams[0], CopyAfter::kNothing),
                cudaErrorUnknown);
    }
    fake_cuda::run_all();
    EXPECT_EQ(*static_cast<char*>(device), 'a') << "the copy in flight saw other bytes";
  }
  cudaFree(device);
  cudaGetLastError();
}

cudaError_t error_of(const std::function<void()>& make) {
  try {
    make();
  } catch (const CudaError& error) {
    return error.code();
  }
  return cudaSuccess;
}

constexpr std::size_t kHalf = ~std::size_t{0} / 2 + 1;  // twice this is 0

TEST(StagedCopy, SizesBeyondASizeAreAnErrorNotASmallRing) {
  const Streams streams;
  const std::size_t blocks = fake_cuda::pinned_blocks();
  EXPECT_EQ(error_of([] { StagedCopy(kHalf, 2); }), cudaErrorInvalidValue);
  EXPECT_EQ(error_of([] { StagedCopy(3, kHalf); }), cudaErrorInvalidValue);
  EXPECT_EQ(error_of([] { StagedCopy(1, kHalf); }), cudaErrorMemoryAllocation);
  EXPECT_EQ(fake_cuda::pinned_blocks(), blocks);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

class PrefetcherTest : public testing::TestWithParam<bool> {
 protected:
  static constexpr std::size_t kBytes = 3000;

  PrefetchOptions options(std::size_t buffers) const { return {kBytes, buffers, GetParam()}; }
  // Sizes vary; known from the index.
  static std::size_t bytes_of(std::uint64_t index) { return (index * 7919) % kBytes + 1; }
  static std::size_t fill(std::uint64_t index, void* pinned, std::size_t capacity) {
    EXPECT_EQ(capacity, kBytes);
    fill_pattern(pinned, index, bytes_of(index));
    return bytes_of(index);
  }
};

TEST_P(PrefetcherTest, EveryBatchIsWholeAtAnyPace) {
  for (const std::size_t buffers : {2, 3, 5}) {
    const Streams streams;
    std::mt19937 random(static_cast<unsigned>(buffers));
    int right = 0;
    {
      Prefetcher prefetcher(options(buffers), fill);
      for (std::uint64_t step = 0; step < 200; ++step) {
        const cudaStream_t consumer = streams[random() % 2];
        PrefetchedBatch batch;
        ASSERT_EQ(prefetcher.next(consumer, batch), cudaSuccess);
        ASSERT_EQ(batch.index, step);
        ASSERT_EQ(batch.bytes, bytes_of(step));
        // Twice: what the consumer was given first and last may read the batch.
        for (int i = 0; i < 2; ++i) {
          fake_cuda::launch(consumer,
                            [&right, batch] { right += holds_pattern(batch.data, batch.index, batch.bytes); });
        }
        for (int i = 0; i < 2; ++i) fake_cuda::run(streams[static_cast<std::size_t>(i)], random() % 6);
      }
    }
    fake_cuda::run_all();
    EXPECT_EQ(right, 400) << buffers << " buffers";
  }
}

TEST_P(PrefetcherTest, EndsAfterTheLastBatchAndStaysEnded) {
  const Streams streams;
  std::atomic<int> calls{0};
  Prefetcher prefetcher(options(3), [&](std::uint64_t index, void* pinned, std::size_t capacity) -> std::size_t {
    ++calls;
    return index == 4 ? 0 : fill(index, pinned, capacity);
  });
  PrefetchedBatch batch;
  for (int i = 0; i < 4; ++i) {
    ASSERT_EQ(prefetcher.next(streams[0], batch), cudaSuccess);
    ASSERT_NE(batch.data, nullptr);
    fake_cuda::run_all();
  }
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(prefetcher.next(streams[0], batch), cudaSuccess);
    EXPECT_EQ(batch.data, nullptr);
  }
  EXPECT_EQ(calls, 5);
}

TEST_P(PrefetcherTest, AnExceptionOfTheFillComesOutAfterTheBatchesBefore) {
  const Streams streams;
  Prefetcher prefetcher(options(3), [&](std::uint64_t index, void* pinned, std::size_t capacity) {
    if (index == 2) throw std::runtime_error("the disk is gone");
    return fill(index, pinned, capacity);
  });
  PrefetchedBatch batch;
  for (int i = 0; i < 2; ++i) ASSERT_EQ(prefetcher.next(streams[0], batch), cudaSuccess);
  fake_cuda::run_all();
  EXPECT_THROW(static_cast<void>(prefetcher.next(streams[0], batch)), std::runtime_error);
}

TEST_P(PrefetcherTest, ErrorsComeBack) {
  const Streams streams;
  Prefetcher too_long(options(2), [](std::uint64_t, void*, std::size_t capacity) { return capacity + 1; });
  PrefetchedBatch batch;
  EXPECT_EQ(too_long.next(streams[0], batch), cudaErrorInvalidValue);
  EXPECT_EQ(batch.data, nullptr);
  fake_cuda::fail_next("cudaMemcpyAsync", cudaErrorLaunchFailure);
  Prefetcher failing(options(2), fill);
  EXPECT_EQ(failing.next(streams[0], batch), cudaErrorLaunchFailure);
  EXPECT_THROW(Prefetcher({0, 2, GetParam()}, fill), std::invalid_argument);
  cudaGetLastError();
}

TEST_P(PrefetcherTest, ACaptureOfThePreviousConsumerIsLeftAlone) {
  const Streams streams;
  Prefetcher prefetcher(options(2), fill);
  PrefetchedBatch batch;
  ASSERT_EQ(prefetcher.next(streams[0], batch), cudaSuccess);
  fake_cuda::run_all();
  ASSERT_EQ(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeThreadLocal), cudaSuccess);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(prefetcher.next(streams[1], batch), cudaErrorStreamCaptureUnsupported);
    EXPECT_EQ(batch.data, nullptr);
  }
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(streams[0], &graph), cudaSuccess);
  std::size_t nodes = 1;
  EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &nodes), cudaSuccess);
  EXPECT_EQ(nodes, 0u);
  cudaGraphDestroy(graph);
  for (std::uint64_t index = 1; index < 6; ++index) {
    ASSERT_EQ(prefetcher.next(streams[1], batch), cudaSuccess);
    EXPECT_EQ(batch.index, index) << "a batch was lost";
    fake_cuda::run_all();
    EXPECT_TRUE(holds_pattern(batch.data, index, batch.bytes));
  }
}

TEST_P(PrefetcherTest, SizesBeyondASizeAreAnErrorNotASmallRing) {
  const Streams streams;
  const std::size_t blocks = fake_cuda::pinned_blocks();
  const auto with = [](std::size_t max_bytes, std::size_t buffers) {
    return error_of([=] { Prefetcher({max_bytes, buffers, GetParam()}, fill); });
  };
  EXPECT_EQ(with(kHalf, 2), cudaErrorInvalidValue);
  EXPECT_EQ(with(~std::size_t{0} - 10, 2), cudaErrorInvalidValue);  // rounds up to 0
  EXPECT_EQ(with(~std::size_t{0} - 255, 2), cudaErrorInvalidValue);
  EXPECT_EQ(with(16, ~std::size_t{0}), cudaErrorInvalidValue);
  EXPECT_EQ(with(16, std::size_t{1} << 40), cudaErrorMemoryAllocation);
  EXPECT_THROW(Prefetcher({0, ~std::size_t{0}, GetParam()}, fill), std::invalid_argument);
  EXPECT_EQ(fake_cuda::pinned_blocks(), blocks);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

TEST_P(PrefetcherTest, DestroyedWhileABatchIsOut) {
  const Streams streams;
  for (int used = 0; used < 4; ++used) {
    Prefetcher prefetcher(options(3), fill);
    PrefetchedBatch batch;
    for (int i = 0; i < used; ++i) ASSERT_EQ(prefetcher.next(streams[0], batch), cudaSuccess);
  }
}

INSTANTIATE_TEST_SUITE_P(Fillers, PrefetcherTest, testing::Values(true, false),
                         [](const auto& info) { return info.param ? "WorkerThread" : "Inline"; });

// Inline, so that what the host does is known: with the device close behind, next() never waits; with the device
// stopped, only when the pinned block it must fill is still being copied from.
TEST(PrefetcherInline, WaitsOnlyForAPinnedBlockStillInUse) {
  const Streams streams;
  Prefetcher prefetcher({100, 3, false}, [](std::uint64_t index, void* pinned, std::size_t) -> std::size_t {
    fill_pattern(pinned, index, 100);
    return 100;
  });
  PrefetchedBatch batch;
  {
    const fake_cuda::ForbidWaiting forbid;
    for (int i = 0; i < 20; ++i) {
      ASSERT_EQ(prefetcher.next(streams[0], batch), cudaSuccess);
      fake_cuda::run_all();
    }
    for (int i = 0; i < 3; ++i) ASSERT_EQ(prefetcher.next(streams[0], batch), cudaSuccess);
  }
  EXPECT_EQ(prefetcher.host_waits(), 0u);
  for (int i = 0; i < 4; ++i) ASSERT_EQ(prefetcher.next(streams[0], batch), cudaSuccess);
  EXPECT_GT(prefetcher.host_waits(), 0u);
}

}  // namespace
}  // namespace syncsniff
