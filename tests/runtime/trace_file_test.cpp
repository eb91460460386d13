// Which pages of the trace a process keeps in memory.
#include "runtime/trace/trace_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "runtime/trace/chunk_writer.h"

namespace syncsniff::trace {
namespace {

constexpr size_t kTracePageBytes = 4096;

// The page is mapped: bit 63 of its entry.
bool is_resident(const void* address) {
  const int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  uint64_t entry = 0;
  const auto at = static_cast<off_t>(reinterpret_cast<uintptr_t>(address) / kTracePageBytes * sizeof(entry));
  const bool known = file >= 0 && pread(file, &entry, sizeof(entry), at) == sizeof(entry);
  if (file >= 0) close(file);
  EXPECT_TRUE(known);
  return (entry >> 63) != 0;
}

class TraceFileTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(mkdtemp(folder_), nullptr);
    path_ = std::string(folder_) + "/run.sstrace";
    ASSERT_EQ(file_.open(path_.c_str(), 64 << 20), 0);
    writer_.start(&file_, 1);
  }
  void TearDown() override {
    file_.close(StopReason::kExit);
    std::filesystem::remove_all(folder_);
  }
  WindowRecord* append(uint64_t begin_ns) {
    WindowRecord record{};
    record.type = static_cast<uint16_t>(RecordType::kWindow);
    record.begin_ns = begin_ns;
    return writer_.append(record);
  }
  void fill_chunks(int count) {
    for (int i = 0; i < count * static_cast<int>(kChunkBytes / sizeof(WindowRecord)); ++i) append(0);
  }

  char folder_[32] = "/tmp/syncsniff-trace-XXXXXX";
  std::string path_;
  TraceFile file_;
  ChunkWriter writer_;
};

// Millions of records may come between a window's begin and its end.
TEST_F(TraceFileTest, AWindowsEndLeavesNothingOfItsChunkResident) {
  WindowRecord* const window = append(17);
  fill_chunks(4);
  ASSERT_FALSE(is_resident(window)) << "its chunk is done";
  window->end_ns = 42;
  ASSERT_TRUE(is_resident(window));
  file_.updated_once_more(window);
  EXPECT_FALSE(is_resident(window));
  EXPECT_EQ(window->begin_ns, 17u);
  EXPECT_EQ(window->end_ns, 42u);
}

TEST_F(TraceFileTest, TheWindowsChunkMayStillBeWritten) {
  fill_chunks(3);
  WindowRecord* const window = append(17);
  window->end_ns = 42;
  file_.updated_once_more(window);
  WindowRecord* const next = append(43);
  EXPECT_EQ(next, window + 1);
  EXPECT_EQ(window->end_ns, 42u);
  EXPECT_EQ(next->begin_ns, 43u);
}

// As the program's threads find it: the next chunk's pages are there before they ask, and the done one's leave later.
TEST_F(TraceFileTest, KeepingAheadTakesTheFileSystemsWorkOffTheProgramsThreads) {
  WindowRecord* const first = append(17);
  const char* const next_chunk =
      reinterpret_cast<const char*>(first) - sizeof(ChunkHeader) + static_cast<size_t>(kChunkBytes);
  ASSERT_FALSE(is_resident(next_chunk));
  file_.keep_ahead();
  EXPECT_TRUE(is_resident(next_chunk));
  EXPECT_TRUE(is_resident(next_chunk + kChunkBytes - 1));
  fill_chunks(3);
  EXPECT_TRUE(is_resident(first)) << "it is left to the next call";
  file_.keep_ahead();
  EXPECT_FALSE(is_resident(first));
  EXPECT_EQ(first->begin_ns, 17u);
}

TEST_F(TraceFileTest, WhatIsAheadGrowsWithWhatIsUsed) {
  const char* const begin = reinterpret_cast<const char*>(append(17));
  file_.keep_ahead();
  const char* const far = begin + static_cast<size_t>(kChunkBytes) * 12;
  EXPECT_FALSE(is_resident(far));
  fill_chunks(8);
  file_.keep_ahead();
  EXPECT_TRUE(is_resident(far));
}

TEST_F(TraceFileTest, AFullDiskStopsTheRecordingOnlyWhenItIsReached) {
  append(17);
  file_.set_full_after(kHeaderBytes + 3 * kChunkBytes);
  file_.keep_ahead();
  EXPECT_TRUE(file_.writable());
  fill_chunks(2);
  EXPECT_TRUE(file_.writable());
  fill_chunks(2);
  EXPECT_FALSE(file_.writable());
  EXPECT_EQ(file_.header()->stop_reason, static_cast<uint32_t>(StopReason::kDiskFull));
}

}  // namespace
}  // namespace syncsniff::trace
