// Prefetcher and StagedCopy on a real GPU: each word of 200 batches of varied size checked on the device, beside a host
// and a device that hurry and dawdle at random; and what the host does not wait for.
#include <syncsniff/staging.h>

#include <random>
#include <thread>
#include <vector>

#include "kernel_test.cuh"

namespace {

using gpu_test::Clock;
using gpu_test::Device;
using gpu_test::spin;
using gpu_test::Stream;
using syncsniff::CopyAfter;
using syncsniff::PrefetchedBatch;
using syncsniff::Prefetcher;
using syncsniff::StagedCopy;

constexpr std::size_t kMostWords = 1 << 20;

__host__ __device__ std::uint32_t word_of(std::uint64_t batch, std::uint64_t at) {
  return static_cast<std::uint32_t>(batch * 2654435761u ^ (at * 40503u + 12345u));
}
std::size_t words_of(std::uint64_t batch) { return (batch * 7919 * 131) % kMostWords + 1; }
void fill_words(void* data, std::uint64_t batch, std::size_t words) {
  for (std::size_t i = 0; i < words; ++i) static_cast<std::uint32_t*>(data)[i] = word_of(batch, i);
}

__global__ void check_kernel(const std::uint32_t* data, std::uint64_t words, std::uint64_t batch,
                             unsigned long long* right) {
  unsigned long long mine = 0;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < words;
       i += std::uint64_t{gridDim.x} * blockDim.x) {
    mine += data[i] == word_of(batch, i);
  }
  if (mine != 0) atomicAdd(right, mine);
}
void check(const void* data, std::size_t words, std::uint64_t batch, unsigned long long* right, cudaStream_t stream) {
  check_kernel<<<128, 256, 0, stream>>>(static_cast<const std::uint32_t*>(data), words, batch, right);
}

class PrefetcherGpu : public testing::TestWithParam<std::tuple<bool, std::size_t>> {};

TEST_P(PrefetcherGpu, TwoHundredBatchesOfVariedSizeArriveWhole) {
  const auto [worker, buffers] = GetParam();
  const Stream streams[2];
  const Device<unsigned long long> right;
  unsigned long long expected = 0;
  std::mt19937 random(static_cast<unsigned>(buffers));
  std::mt19937 fill_random(9);
  {
    Prefetcher prefetcher({kMostWords * 4, buffers, worker}, [&](std::uint64_t batch, void* pinned, std::size_t) {
      fill_words(pinned, batch, words_of(batch));
      if (fill_random() % 8 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));
      return batch == 200 ? std::size_t{0} : words_of(batch) * 4;
    });
    for (std::uint64_t step = 0; step < 200; ++step) {
      const cudaStream_t consumer = streams[random() % 2];
      PrefetchedBatch batch;
      ASSERT_CUDA(prefetcher.next(consumer, batch));
      ASSERT_EQ(batch.index, step);
      ASSERT_EQ(batch.bytes, words_of(step) * 4);
      check(batch.data, batch.bytes / 4, step, right.get(), consumer);
      if (random() % 3 == 0) spin(consumer, random() % 3000);
      check(batch.data, batch.bytes / 4, step, right.get(), consumer);
      expected += 2 * words_of(step);
    }
    PrefetchedBatch end;
    ASSERT_CUDA(prefetcher.next(streams[0], end));
    EXPECT_EQ(end.data, nullptr);
  }
  ASSERT_CUDA(cudaDeviceSynchronize());
  EXPECT_EQ(right.read(), expected);
}
INSTANTIATE_TEST_SUITE_P(Shapes, PrefetcherGpu,
                         testing::Combine(testing::Bool(),
                                          testing::Values(std::size_t{2}, std::size_t{3}, std::size_t{5})));

// Steps of 20 ms on the device: as many as there are buffers can be enqueued without waiting.
TEST(PrefetcherGpuPace, TheHostRunsAheadByTheNumberOfBuffers) {
  const Stream stream;
  Prefetcher prefetcher({1 << 20, 4, true}, [](std::uint64_t, void*, std::size_t) { return std::size_t{1 << 20}; });
  PrefetchedBatch batch;
  ASSERT_CUDA(prefetcher.next(stream, batch));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // the others are filled
  const Clock clock;
  for (int i = 0; i < 3; ++i) {
    spin(stream, 20000);
    ASSERT_CUDA(prefetcher.next(stream, batch));
  }
  EXPECT_LT(clock.ms(), 15.0);
  for (int i = 0; i < 8; ++i) {
    spin(stream, 20000);
    ASSERT_CUDA(prefetcher.next(stream, batch));
  }
  EXPECT_GT(clock.ms(), 60.0) << "buffers were reused while the device needed them";
  ASSERT_CUDA(cudaStreamSynchronize(stream));
}

// 3 ms to fill and 3 ms to consume: one after the other 240 ms for 40 batches, side by side 120.
TEST(PrefetcherGpuPace, FillingRunsBesideTheDevice) {
  const Stream stream;
  Prefetcher prefetcher({1 << 20, 3, true}, [](std::uint64_t, void*, std::size_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
    return std::size_t{1 << 20};
  });
  const Clock clock;
  for (int i = 0; i < 40; ++i) {
    PrefetchedBatch batch;
    ASSERT_CUDA(prefetcher.next(stream, batch));
    spin(stream, 3000);
  }
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  EXPECT_LT(clock.ms(), 190.0);
}

TEST(StagedCopyGpu, TwoHundredPageableSourcesIntoOneDestination) {
  const Stream stream;
  const Device<std::uint32_t> destination(kMostWords);
  const Device<unsigned long long> right;
  unsigned long long expected = 0;
  StagedCopy staged(300000, 3);  // neither a multiple of a page nor enough for a batch
  for (std::uint64_t step = 0; step < 200; ++step) {
    std::vector<std::uint32_t> pageable(words_of(step));
    fill_words(pageable.data(), step, pageable.size());
    ASSERT_CUDA(staged.copy(destination.get(), pageable.data(), pageable.size() * 4, stream));
    check(destination.get(), pageable.size(), step, right.get(), stream);
    if (step % 5 == 0) spin(stream, 1000);
    expected += pageable.size();
  }
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  EXPECT_EQ(right.read(), expected);
}

TEST(StagedCopyGpu, DoesNotWaitForTheConsumer) {
  const Stream stream;
  const Device<std::uint32_t> destination(kMostWords);
  const Device<unsigned long long> right;
  std::vector<std::uint32_t> pageable(kMostWords);
  fill_words(pageable.data(), 1, pageable.size());
  StagedCopy staged(std::size_t{4} << 20, 4);
  spin(stream, 100000);
  const Clock clock;
  ASSERT_CUDA(staged.copy(destination.get(), pageable.data(), pageable.size() * 4, stream));
  EXPECT_LT(clock.ms(), 50.0);
  EXPECT_EQ(staged.host_waits(), 0u);
  check(destination.get(), pageable.size(), 1, right.get(), stream);
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  EXPECT_EQ(right.read(), kMostWords);
}

}  // namespace

int main(int argc, char** argv) { return gpu_test::run_all(argc, argv); }
