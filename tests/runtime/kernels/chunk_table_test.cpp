// The chunk table, replayed on the CPU the way the kernel walks it.
#include "syncsniff/detail/chunk_table.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace syncsniff::detail {
namespace {

// Arrays at chosen distances from a 16-byte boundary, in one block of host memory.
class Arrays {
 public:
  void add(std::uint64_t elements, std::size_t misaligned_floats = 0) {
    elements_.push_back(elements);
    offsets_.push_back((used_ + 3) / 4 * 4 + misaligned_floats);
    used_ = offsets_.back() + elements;
  }
  // Values are small whole numbers, so that sums in fp64 are exact in any order.
  void fill() {
    storage_.assign(used_ + 4, 0.0f);
    const auto address = reinterpret_cast<std::uintptr_t>(storage_.data());
    base_ = storage_.data() + (16 - address % 16) % 16 / sizeof(float);
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      data_.push_back(base_ + offsets_[i]);
      for (std::uint64_t j = 0; j < elements_[i]; ++j) base_[offsets_[i] + j] = static_cast<float>((i + 3 * j) % 17);
    }
  }
  ChunkTableError build(std::uint32_t chunk_bytes, ChunkTable& table) {
    return build_chunk_table(data_.data(), elements_.data(), data_.size(), sizeof(float), chunk_bytes, table);
  }
  const std::vector<const void*>& data() const { return data_; }
  const std::vector<std::uint64_t>& elements() const { return elements_; }

 private:
  std::vector<std::uint64_t> elements_, offsets_;
  std::vector<float> storage_;
  float* base_ = nullptr;
  std::vector<const void*> data_;
  std::uint64_t used_ = 0;
};

std::vector<double> replay(const ChunkTable& table) {
  std::vector<double> sums(table.tensors.size(), 0.0);
  for (const ChunkEntry& chunk : table.chunks) {
    const float* data = static_cast<const float*>(chunk.data);
    for (std::uint32_t i = 0; i < chunk.elements; ++i) sums[chunk.tensor] += data[i];
  }
  return sums;
}

std::vector<double> reference(const Arrays& arrays) {
  std::vector<double> sums;
  for (std::size_t i = 0; i < arrays.elements().size(); ++i) {
    double sum = 0.0;
    for (std::uint64_t j = 0; j < arrays.elements()[i]; ++j) sum += static_cast<const float*>(arrays.data()[i])[j];
    sums.push_back(sum);
  }
  return sums;
}

TEST(ChunkTable, ReplayedChunksGiveEveryTensorsSum) {
  Arrays arrays;
  for (std::uint64_t elements : {1u, 2u, 3u, 4u, 5u, 0u, 63u, 64u, 65u, 4095u, 4096u, 4097u, 16999u, 0u}) {
    for (std::size_t misaligned = 0; misaligned < 4; ++misaligned) arrays.add(elements, misaligned);
  }
  arrays.fill();
  for (std::uint32_t chunk_bytes : {0u, 16u, 256u, 16384u}) {
    ChunkTable table;
    ASSERT_EQ(arrays.build(chunk_bytes, table), ChunkTableError::kNone);
    EXPECT_EQ(replay(table), reference(arrays)) << "chunk_bytes " << chunk_bytes;
  }
}

TEST(ChunkTable, ChunksOfOneTensorAreConsecutiveAndCoverItWithoutOverlap) {
  Arrays arrays;
  arrays.add(10000, 1);
  arrays.add(0);
  arrays.add(7, 3);
  arrays.add(4096);
  arrays.fill();
  ChunkTable table;
  ASSERT_EQ(arrays.build(4096, table), ChunkTableError::kNone);
  std::size_t next = 0;
  for (std::size_t i = 0; i < table.tensors.size(); ++i) {
    const TensorEntry& tensor = table.tensors[i];
    ASSERT_EQ(tensor.first_chunk, next);
    std::uint64_t covered = 0;
    for (; next < tensor.first_chunk + tensor.chunks; ++next) {
      ASSERT_EQ(table.chunks[next].tensor, i);
      ASSERT_EQ(table.chunks[next].offset, covered);
      ASSERT_EQ(table.chunks[next].data, static_cast<const float*>(arrays.data()[i]) + covered);
      ASSERT_EQ(table.chunks[next].first_chunk, tensor.first_chunk);
      ASSERT_EQ(table.chunks[next].chunks, tensor.chunks);
      covered += table.chunks[next].elements;
    }
    EXPECT_EQ(covered, tensor.elements);
  }
  EXPECT_EQ(next, table.chunks.size());
}

TEST(ChunkTable, OnlyFirstChunksStartOffABoundary) {
  Arrays arrays;
  for (std::size_t misaligned = 0; misaligned < 4; ++misaligned) arrays.add(20000, misaligned);
  arrays.fill();
  ChunkTable table;
  ASSERT_EQ(arrays.build(16384, table), ChunkTableError::kNone);
  for (std::size_t i = 0; i < table.chunks.size(); ++i) {
    const ChunkEntry& chunk = table.chunks[i];
    if (i == table.tensors[chunk.tensor].first_chunk) continue;
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(chunk.data) % kVectorBytes, 0u) << "chunk " << i;
  }
}

TEST(ChunkTable, AShortRestJoinsTheChunkBeforeIt) {
  Arrays arrays;
  arrays.add(4096 + 2047);  // of chunks of 4096 elements
  arrays.add(4096 + 2048);
  arrays.fill();
  ChunkTable table;
  ASSERT_EQ(arrays.build(16384, table), ChunkTableError::kNone);
  EXPECT_EQ(table.tensors[0].chunks, 1u);
  EXPECT_EQ(table.tensors[1].chunks, 2u);
}

TEST(ChunkTable, SizesAloneChooseTheChunkSize) {
  EXPECT_EQ(default_chunk_bytes(0), 4u << 10);
  EXPECT_EQ(default_chunk_bytes(36u << 20), 64u << 10);
  EXPECT_EQ(default_chunk_bytes(std::uint64_t{1} << 40), 256u << 10);
}

TEST(ChunkTable, AnEmptyTensorHasOneEmptyChunk) {
  const void* data[] = {nullptr};
  const std::uint64_t elements[] = {0};
  ChunkTable table;
  ASSERT_EQ(build_chunk_table(data, elements, 1, 4, 0, table), ChunkTableError::kNone);
  ASSERT_EQ(table.chunks.size(), 1u);
  EXPECT_EQ(table.chunks[0].elements, 0u);
  EXPECT_EQ(table.tensors[0].chunks, 1u);
}

TEST(ChunkTable, NoTensorsGiveNoChunks) {
  ChunkTable table;
  ASSERT_EQ(build_chunk_table(nullptr, nullptr, 0, 4, 0, table), ChunkTableError::kNone);
  EXPECT_TRUE(table.chunks.empty());
}

TEST(ChunkTable, RefusesWhatNoKernelCouldRead) {
  alignas(16) static float block[8];
  ChunkTable table;
  const void* null_data[] = {nullptr};
  const std::uint64_t four[] = {4};
  EXPECT_EQ(build_chunk_table(null_data, four, 1, 4, 0, table), ChunkTableError::kNullData);
  const void* odd[] = {reinterpret_cast<const char*>(block) + 2};
  EXPECT_EQ(build_chunk_table(odd, four, 1, 4, 0, table), ChunkTableError::kMisaligned);
  EXPECT_EQ(build_chunk_table(odd, four, 1, 2, 0, table), ChunkTableError::kNone)
      << "two-byte elements may stand there";
  const void* fine[] = {block};
  const std::uint64_t huge[] = {std::uint64_t{1} << 40};
  EXPECT_EQ(build_chunk_table(fine, huge, 1, 4, 16, table), ChunkTableError::kTooMany);
  EXPECT_TRUE(table.chunks.empty()) << "an error leaves no half-built table";
}

// Sums of sizes that are small again modulo 2^64, and chunk counts that are.
TEST(ChunkTable, SizesBeyondAllMemoryAreTooMany) {
  alignas(16) static float block[8];
  const void* data[] = {block, block};
  constexpr std::uint64_t kMost = ~std::uint64_t{0}, kHalf = kMost / 2 + 1;
  const std::uint64_t lists[][2] = {{kHalf, kHalf}, {kMost, 1}, {1, kMost}, {kMost, 4097}, {kMost, 0}, {kMost / 4, 1}};
  for (const auto& elements : lists) {
    for (const std::size_t element_size : {1u, 2u, 4u, 8u, 16u}) {
      for (const std::uint32_t chunk_bytes : {0u, 16u, 1u << 30}) {
        ChunkTable table;
        ASSERT_EQ(build_chunk_table(data, elements, 2, element_size, chunk_bytes, table), ChunkTableError::kTooMany)
            << elements[0] << " + " << elements[1] << " of " << element_size << ", chunks of " << chunk_bytes;
      }
    }
  }
}

}  // namespace
}  // namespace syncsniff::detail
