// Whatever the bytes: a TraceError of one line, or a trace; never a crash. A fixed seed, so that a failure repeats.
#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "instrument/reader/layout.h"
#include "instrument/timeline/analysis.h"
#include "tests/instrument/support.h"

namespace syncsniff {
namespace {

constexpr int kRounds = 3000;

std::string good_trace() {
  return reader::undump_trace(test::read_file(std::string(SYNCSNIFF_TWINS) + "/trainer.txt"), "twin");
}

// True: it was read.
bool try_read(const std::string& bytes) {
  try {
    const auto trace = reader::read_trace_bytes(bytes.data(), bytes.size(), "mutant");
    std::ostringstream text;
    reader::dump_trace(bytes.data(), bytes.size(), "mutant", text);
    return true;
  } catch (const reader::TraceError& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    EXPECT_EQ(std::string(error.what()).rfind("mutant: ", 0), 0u) << error.what();
    return false;
  }
}

TEST(TraceMutation, RandomBytesNeverCrashTheReader) {
  const std::string good = good_trace();
  ASSERT_TRUE(try_read(good));
  const size_t used = std::min<size_t>(good.size(), trace::kHeaderBytes + 16 * 1024);
  std::mt19937 random(20240607);
  int read = 0, refused = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::string mutant = good;
    const int changes = 1 + static_cast<int>(random() % 8);
    for (int i = 0; i < changes; ++i) {
      // Half of the changes go to the first bytes of a record, where types and sizes stand.
      size_t at = random() % used;
      if (random() % 2 != 0) at = at / trace::kRecordBytes * trace::kRecordBytes + random() % 16;
      mutant[at] = static_cast<char>(random() % 3 == 0 ? 0xff : random());
    }
    (try_read(mutant) ? read : refused)++;
  }
  EXPECT_GT(read, 0);
  EXPECT_GT(refused, 0);
}

TEST(TraceMutation, DamagedTracesAreAnalysedWithoutACrash) {
  const std::string good = good_trace();
  std::mt19937 random(7);
  for (int round = 0; round < 150; ++round) {
    std::string mutant = good;
    for (int i = 0; i < 4; ++i) mutant[trace::kHeaderBytes + random() % 8192] = static_cast<char>(random());
    try {
      const auto trace = reader::read_trace_bytes(mutant.data(), mutant.size(), "mutant");
      timeline::analyse(trace, test::places_of(trace));
    } catch (const reader::TraceError&) {
    }
  }
}

TEST(TraceMutation, EveryTruncationIsRefused) {
  const std::string good = good_trace();
  for (size_t size : {size_t{0}, size_t{7}, size_t{8}, size_t{100}, size_t{4095}, size_t{4096}, good.size() - 1})
    EXPECT_FALSE(try_read(good.substr(0, size))) << size;
}

TEST(TraceMutation, SaysWhatIsWrong) {
  auto message = [](std::string bytes) {
    try {
      reader::read_trace_bytes(bytes.data(), bytes.size(), "f");
    } catch (const reader::TraceError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  std::string bytes = good_trace();
  EXPECT_EQ(message("hello"), "f: not a syncsniff trace; record one with `syncsniff run`");
  std::string newer = bytes;
  newer[8] = 9;
  EXPECT_NE(message(newer).find("version 9"), std::string::npos);
  std::string marked = bytes;
  marked[trace::kHeaderBytes] ^= 1;
  EXPECT_NE(message(marked).find("chunk 0 has a wrong mark"), std::string::npos);
}

TEST(TraceMutation, AChunkThatWasBlankedIsMissed) {
  std::string bytes = reader::undump_trace(
      "trace pid=1\nchunk tid=1\ncall begin=1\nchunk tid=1 sequence=1\ncall begin=2\nchunk tid=1 "
      "sequence=2\ncall begin=3\n",
      "t");
  ASSERT_EQ(reader::read_trace_bytes(bytes.data(), bytes.size(), "t").calls.size(), 3u);
  bytes.replace(trace::kHeaderBytes + trace::kChunkBytes, sizeof(trace::ChunkHeader), sizeof(trace::ChunkHeader), '\0');
  try {
    reader::read_trace_bytes(bytes.data(), bytes.size(), "t");
    ADD_FAILURE() << "its records are lost, and nobody says so";
  } catch (const reader::TraceError& error) {
    EXPECT_NE(std::string(error.what()).find("number 1 is missing"), std::string::npos) << error.what();
  }
}

TEST(TraceMutation, ARecordCutOffByTheEndOfTheProcessIsDropped) {
  std::string bytes = reader::undump_trace(
      "trace pid=1\nchunk tid=1\ncall begin=9\nnote text=\"" + std::string(130, 'n') + "\"\n", "t");
  bytes[trace::kHeaderBytes + 12] =
      0;  // used_bytes from 320 to 256: the last of the note's three continuations is lost
  const auto trace = reader::read_trace_bytes(bytes.data(), bytes.size(), "t");
  EXPECT_EQ(trace.calls.size(), 1u);
  EXPECT_TRUE(trace.notes.empty());
  EXPECT_EQ(trace.partial_records, 1u);
  EXPECT_TRUE(trace.ended_early());
}

}  // namespace
}  // namespace syncsniff
