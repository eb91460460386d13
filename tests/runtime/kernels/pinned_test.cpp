// Pinned containers and the pool over the fake runtime: reuse without CUDA calls, and no block lent while the device
// may still use it.
#include "syncsniff/pinned.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <new>
#include <random>
#include <thread>
#include <vector>

#include "tests/runtime/kernels/fake_runtime.h"

namespace {
thread_local bool no_memory = false;
}
// So that a test can take the host's memory away from this thread. Not inlined: GCC would see free() after new.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  void* data = no_memory ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
  if (data == nullptr) throw std::bad_alloc();
  return data;
}
[[gnu::noinline]] void operator delete(void* data) noexcept { std::free(data); }
[[gnu::noinline]] void operator delete(void* data, std::size_t) noexcept { std::free(data); }

namespace syncsniff {
namespace {

struct NoMemory {
  NoMemory() { no_memory = true; }
  ~NoMemory() { no_memory = false; }
};

class Pinned : public testing::Test {
 protected:
  void SetUp() override { fake_cuda::reset(); }
};

TEST_F(Pinned, VectorLivesInPinnedMemory) {
  const std::size_t before = fake_cuda::pinned_blocks();
  {
    pinned_vector<float> values(1000, 2.0f);
    EXPECT_TRUE(fake_cuda::is_pinned(&values.back()));
    values.resize(5000);
    EXPECT_TRUE(fake_cuda::is_pinned(values.data()));
    EXPECT_EQ(values[999], 2.0f);
    const pinned_vector<float> copy = values;
    EXPECT_EQ(fake_cuda::pinned_blocks(), before + 2);
    EXPECT_TRUE(PinnedAllocator<int>() == PinnedAllocator<float>());
    std::map<int, int, std::less<int>, PinnedAllocator<std::pair<const int, int>>> rebound;
    rebound[3] = 4;
    EXPECT_TRUE(fake_cuda::is_pinned(&rebound[3]));
  }
  EXPECT_EQ(fake_cuda::pinned_blocks(), before);
}

TEST_F(Pinned, FailureIsABadAllocThatKnowsWhy) {
  fake_cuda::fail_next("cudaHostAlloc", cudaErrorMemoryAllocation);
  try {
    pinned_vector<int> values(10);
    FAIL();
  } catch (const std::bad_alloc& error) {
    const auto* pinned = dynamic_cast<const PinnedBadAlloc*>(&error);
    ASSERT_NE(pinned, nullptr);
    EXPECT_EQ(pinned->cuda_error().code(), cudaErrorMemoryAllocation);
    EXPECT_STREQ(pinned->what(), "cudaHostAlloc: cudaErrorMemoryAllocation: out of memory");
  }
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  EXPECT_THROW(PinnedAllocator<double>().allocate(std::size_t{1} << 62), std::bad_array_new_length);
}

TEST(SizeClass, RoundsUpByAQuarterAtMost) {
  using detail::bytes_of_class;
  using detail::class_of_bytes;
  EXPECT_EQ(bytes_of_class(0), 4096u);
  EXPECT_EQ(bytes_of_class(1), 5120u);
  EXPECT_EQ(bytes_of_class(4), 8192u);
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) {
    const std::size_t bytes = (random() >> (random() % 50 + 14)) + 1;
    const std::size_t size_class = class_of_bytes(bytes);
    ASSERT_LT(size_class, detail::kSizeClasses);
    ASSERT_GE(bytes_of_class(size_class), bytes);
    if (size_class == 0) continue;
    ASSERT_LT(bytes_of_class(size_class - 1), bytes);
    ASSERT_LE(bytes_of_class(size_class), bytes + bytes / 4 + 4) << bytes;
  }
  EXPECT_EQ(class_of_bytes(bytes_of_class(detail::kSizeClasses - 1)), detail::kSizeClasses - 1);
  EXPECT_EQ(class_of_bytes(bytes_of_class(detail::kSizeClasses - 1) + 1), detail::kSizeClasses);
  EXPECT_EQ(class_of_bytes(~std::size_t{0}), detail::kSizeClasses);
}

TEST_F(Pinned, HostOnlyReuseMakesNoCudaCall) {
  PinnedPool pool;
  void* first = nullptr;
  for (int i = 0; i < 2; ++i) {
    const PinnedBlock a = pool.acquire(100000), b = pool.acquire(50);
    first = a.data();
    pool.release(a);
    pool.release(b);
  }
  const std::size_t before = fake_cuda::calls();
  for (int i = 0; i < 1000; ++i) {
    const PinnedBlock a = pool.acquire(99000 + static_cast<std::size_t>(i)), b = pool.acquire(4096);
    ASSERT_EQ(a.data(), first);
    ASSERT_GE(a.capacity(), 100000u);
    pool.release(b);
    pool.release(a);
  }
  EXPECT_EQ(fake_cuda::calls(), before);
  EXPECT_EQ(pool.bytes_lent(), 0u);
  EXPECT_GT(pool.bytes_held(), 0u);
}

TEST_F(Pinned, ABlockInFlightIsNotLentUntilItsEvent) {
  PinnedPool pool;
  const PinnedBlock a = pool.acquire(5000);
  const fake_cuda::ForbidWaiting forbid;
  fake_cuda::launch(nullptr, [] {});
  ASSERT_EQ(pool.release(a, nullptr), cudaSuccess);
  const PinnedBlock b = pool.acquire(5000);
  EXPECT_NE(b.data(), a.data());
  fake_cuda::run(nullptr, 1);  // the work is done, its event not yet
  const PinnedBlock c = pool.acquire(5000);
  EXPECT_NE(c.data(), a.data());
  fake_cuda::run_all();
  EXPECT_EQ(pool.acquire(5000).data(), a.data());
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

// Streams at different paces: a block is never lent while an operation that reads it is queued.
TEST_F(Pinned, RandomStreamsNeverSeeABlockChange) {
  cudaStream_t streams[3];
  for (cudaStream_t& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  {
    PinnedPool pool;
    std::mt19937 random(5);
    const fake_cuda::ForbidWaiting forbid;
    for (unsigned i = 0; i < 3000; ++i) {
      const PinnedBlock block = pool.acquire(random() % 30000 + 1);
      auto* word = static_cast<unsigned*>(block.data());
      *word = i;
      const cudaStream_t stream = streams[random() % 3];
      fake_cuda::launch(stream, [=] { ASSERT_EQ(*word, i); });
      ASSERT_EQ(pool.release(block, stream), cudaSuccess);
      fake_cuda::run(streams[random() % 3], random() % 5);
    }
    EXPECT_LT(pool.bytes_held(), 30000u * 600) << "blocks are not reused";
  }
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
}

// Blocks that wait for a stream that stands still: those behind them that are free are found, and nothing is allocated.
TEST_F(Pinned, AFreeBlockIsFoundBehindAnyNumberInFlight) {
  cudaStream_t slow = nullptr, fast = nullptr;
  for (cudaStream_t* stream : {&slow, &fast}) cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);
  {
    constexpr std::size_t kHeldUp = 30, kBytes = 4096;
    PinnedPool pool((kHeldUp + 1) * kBytes);
    std::vector<PinnedBlock> held_up;
    for (std::size_t i = 0; i < kHeldUp; ++i) held_up.push_back(pool.acquire(kBytes));
    for (const PinnedBlock& block : held_up) ASSERT_EQ(pool.release(block, slow), cudaSuccess);
    const std::size_t allocations = fake_cuda::calls("cudaHostAlloc");
    const fake_cuda::ForbidWaiting forbid;
    for (int step = 0; step < 100; ++step) {
      const PinnedBlock block = pool.acquire(kBytes);
      ASSERT_EQ(pool.release(block, fast), cudaSuccess);
      fake_cuda::run(fast, 1);
    }
    EXPECT_EQ(fake_cuda::calls("cudaHostAlloc"), allocations + 1);
    EXPECT_EQ(pool.bytes_held(), (kHeldUp + 1) * kBytes);
  }
  for (cudaStream_t stream : {slow, fast}) cudaStreamDestroy(stream);
}

TEST_F(Pinned, AFailedReleaseLeavesTheBlockLent) {
  PinnedPool pool;
  const PinnedBlock a = pool.acquire(1);
  fake_cuda::fail_next("cudaEventRecord", cudaErrorInvalidResourceHandle);
  EXPECT_EQ(pool.release(a, nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(pool.bytes_lent(), a.capacity());
  EXPECT_EQ(pool.release(a, nullptr), cudaSuccess);
  EXPECT_EQ(pool.bytes_lent(), 0u);
  EXPECT_EQ(pool.release(a, nullptr), cudaSuccess) << "a second release is ignored";
  pool.release(a);
  fake_cuda::run_all();
  const PinnedBlock b = pool.acquire(1), c = pool.acquire(1);
  EXPECT_NE(b.data(), c.data());
  cudaGetLastError();
}

TEST_F(Pinned, LimitAndShortageFreeWhatIsIdle) {
  PinnedPool pool(64 << 10);
  const PinnedBlock a = pool.acquire(32 << 10), b = pool.acquire(32 << 10);
  EXPECT_THROW(pool.acquire(4096), PinnedBadAlloc);
  pool.release(a);
  const PinnedBlock c = pool.acquire(8 << 10);  // a's memory is given back for it
  EXPECT_EQ(pool.bytes_held(), std::size_t{40} << 10);
  pool.release(c);
  fake_cuda::fail_next("cudaHostAlloc", cudaErrorMemoryAllocation);
  const PinnedBlock d = pool.acquire(4096);
  EXPECT_EQ(pool.bytes_held(), std::size_t{36} << 10);
  EXPECT_EQ(pool.bytes_lent(), std::size_t{36} << 10);
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  EXPECT_TRUE(b && d);
}

TEST_F(Pinned, TrimKeepsWhatTheDeviceStillUses) {
  PinnedPool pool;
  const PinnedBlock a = pool.acquire(1), b = pool.acquire(9000);
  fake_cuda::launch(nullptr, [] {});
  ASSERT_EQ(pool.release(a, nullptr), cudaSuccess);
  pool.release(b);
  const std::size_t of_a = a.capacity();
  pool.trim();
  EXPECT_EQ(pool.bytes_held(), of_a);
  fake_cuda::run_all();
  pool.trim();
  EXPECT_EQ(pool.bytes_held(), 0u);
  EXPECT_TRUE(pool.acquire(1));
}

// So that no failure can lose a block, or leave one on a list whose memory is gone.
TEST_F(Pinned, GivingBackAndTrimmingAllocateNothing) {
  pinned_vector<int>(3).clear();  // the fake counts a call of this name already
  PinnedPool pool;
  std::vector<PinnedBlock> blocks;
  for (int round = 0; round < 2; ++round) {
    for (std::size_t i = 0; i < 40; ++i) blocks.push_back(pool.acquire(4096 + i % 2 * 5000));
    bool threw = false;
    {
      const NoMemory none;
      try {
        for (const PinnedBlock& block : blocks) pool.release(block);
        pool.trim();
      } catch (const std::bad_alloc&) {
        threw = true;
      }
    }
    EXPECT_FALSE(threw);
    EXPECT_EQ(pool.bytes_lent(), 0u);
    EXPECT_EQ(pool.bytes_held(), 0u);
    blocks.clear();
  }
  for (std::size_t i = 0; i < 40; ++i) EXPECT_NE(pool.acquire(4096).data(), nullptr);
}

TEST_F(Pinned, NoMemoryForAnEventLeavesTheBlockLent) {
  PinnedPool pool;
  const PinnedBlock block = pool.acquire(1);
  ASSERT_EQ(pool.release(pool.acquire(1), nullptr), cudaSuccess);  // the fake's counters
  fake_cuda::run_all();
  {
    const NoMemory none;
    EXPECT_EQ(pool.release(block, nullptr), cudaErrorMemoryAllocation);
  }
  EXPECT_EQ(pool.bytes_lent(), block.capacity());
  EXPECT_EQ(pool.release(block, nullptr), cudaSuccess);
  EXPECT_EQ(pool.bytes_lent(), 0u);
}

// Of another stream, in global mode, in which a thread may neither allocate nor free as it stands.
TEST_F(Pinned, TrimAndLimitSpoilNoCapture) {
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  {
    PinnedPool pool(8192);
    for (const bool limit : {false, true}) {
      pool.release(pool.acquire(4096));
      ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
      if (limit) {
        pool.release(pool.acquire(8192));
      } else {
        pool.trim();
      }
      cudaGraph_t graph = nullptr;
      EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess) << (limit ? "max_bytes" : "trim()");
      if (graph != nullptr) cudaGraphDestroy(graph);
      pool.trim();
    }
  }
  cudaStreamDestroy(stream);
  cudaGetLastError();
}

TEST_F(Pinned, ThreadsShareAPool) {
  PinnedPool pool;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&pool, t] {
      for (unsigned i = 0; i < 2000; ++i) {
        const PinnedBlock block = pool.acquire((i % 7 + 1) * 3000);
        std::memset(block.data(), static_cast<int>(t), 64);
        ASSERT_EQ(static_cast<char*>(block.data())[63], static_cast<char>(t));
        pool.release(block);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(pool.bytes_lent(), 0u);
}

}  // namespace
}  // namespace syncsniff
