// Pinned containers and the pool on a real GPU: really pinned, and no block lent while the device still reads it.
#include <syncsniff/pinned.h>

#include <map>
#include <random>

#include "kernel_test.cuh"

namespace {

using gpu_test::Clock;
using gpu_test::Device;
using gpu_test::spin;
using gpu_test::Stream;
using syncsniff::pinned_vector;
using syncsniff::PinnedBlock;
using syncsniff::PinnedPool;

TEST(PinnedGpu, AVectorIsPinnedAndCopiesWithoutWaiting) {
  pinned_vector<float> values(16 << 20, 3.0f);
  cudaPointerAttributes attributes{};
  ASSERT_CUDA(cudaPointerGetAttributes(&attributes, values.data()));
  EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
  const Stream stream;
  const Device<float> device(values.size());
  spin(stream, 50000);
  const Clock clock;
  ASSERT_CUDA(
      cudaMemcpyAsync(device.get(), values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice, stream));
  EXPECT_LT(clock.ms(), 20.0);
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  EXPECT_EQ(device.read(values.size() - 1), 3.0f);
}

TEST(PinnedGpu, AFailedAllocationTellsAndLeavesNoError) {
  try {
    pinned_vector<char> values;
    values.reserve(std::size_t{1} << 50);
    FAIL();
  } catch (const syncsniff::PinnedBadAlloc& error) {
    EXPECT_NE(error.cuda_error().code(), cudaSuccess);
    EXPECT_NE(std::string(error.what()).find("cudaHostAlloc"), std::string::npos) << error.what();
  }
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

TEST(PinnedGpu, ABlockComesBackOnlyAfterItsStream) {
  const Stream stream;
  PinnedPool pool;
  const PinnedBlock warm_up = pool.acquire(1 << 20), other = pool.acquire(1 << 20);
  pool.release(other);
  pool.release(warm_up);
  const PinnedBlock a = pool.acquire(1 << 20);
  spin(stream, 50000);
  const Clock clock;
  ASSERT_CUDA(pool.release(a, stream));
  const PinnedBlock b = pool.acquire(1 << 20);
  EXPECT_LT(clock.ms(), 20.0);
  EXPECT_NE(a.data(), b.data());
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  EXPECT_EQ(pool.acquire(1 << 20).data(), a.data());
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

__global__ void count_wrong_kernel(const std::uint32_t* data, std::uint32_t count, std::uint32_t expected,
                                   std::uint32_t* wrong) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count && data[i] != expected) atomicAdd(wrong, 1u);
}

TEST(PinnedGpu, FiveHundredCopiesOnThreeStreamsCarryTheirOwnBytes) {
  constexpr std::uint32_t kMost = 1 << 18;
  const Stream streams[3];
  const Device<std::uint32_t> buffers(3 * kMost);
  const Device<std::uint32_t> wrong;
  PinnedPool pool;
  std::mt19937 random(1);
  for (std::uint32_t i = 0; i < 500; ++i) {
    const std::uint32_t count = random() % kMost + 1, s = random() % 3;
    std::uint32_t* device = buffers.get() + s * kMost;
    const PinnedBlock block = pool.acquire(count * sizeof(std::uint32_t));
    std::fill_n(static_cast<std::uint32_t*>(block.data()), count, i);
    if (random() % 4 == 0) spin(streams[s], random() % 500);
    ASSERT_CUDA(
        cudaMemcpyAsync(device, block.data(), count * sizeof(std::uint32_t), cudaMemcpyHostToDevice, streams[s]));
    ASSERT_CUDA(pool.release(block, streams[s]));
    count_wrong_kernel<<<(count + 255) / 256, 256, 0, streams[s]>>>(device, count, i, wrong.get());
  }
  ASSERT_CUDA(cudaDeviceSynchronize());
  EXPECT_EQ(wrong.read(), 0u);
  EXPECT_EQ(pool.bytes_lent(), 0u);
}

}  // namespace

int main(int argc, char** argv) { return gpu_test::run_all(argc, argv); }
