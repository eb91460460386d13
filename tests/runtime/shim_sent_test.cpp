// What copies to the device take from the host, by samples of it.
#include "tests/runtime/shim_fixture.h"

namespace syncsniff::tests {
namespace {

constexpr uint64_t kKiB = 1024;

class SentTest : public ShimTest {
 protected:
  void SetUp() override {
    ShimTest::SetUp();
    environment_["SYNCSNIFF_TIMELINE"] = "full";
    environment_["FAKE_CUDA_COPY_US"] = "5";
  }
};

std::vector<trace::SentRecord> of_bytes(const ScannedTrace& trace, uint64_t bytes) {
  std::vector<trace::SentRecord> found;
  for (const auto& sent : trace.sent)
    if (sent.bytes == bytes) found.push_back(sent);
  return found;
}

TEST_F(SentTest, TheSameBytesAreKnownAgain) {
  const ScannedTrace trace = record("proc", "sends_again");
  EXPECT_EQ(trace.sent.size(), 11u);
  const auto pinned = of_bytes(trace, 1024 * kKiB);
  ASSERT_EQ(pinned.size(), 3u);
  EXPECT_EQ(pinned[0].hash, pinned[1].hash);
  EXPECT_EQ(pinned[1].hash, pinned[2].hash);
  EXPECT_EQ(pinned[0].address, pinned[2].address);
  EXPECT_EQ(pinned[0].compared, 112);
  EXPECT_EQ(pinned[0].varied, 112) << "each word has eight bytes of its own";
  const auto changed = of_bytes(trace, 512 * kKiB);
  ASSERT_EQ(changed.size(), 3u);
  EXPECT_EQ(changed[0].address, changed[1].address);
  EXPECT_NE(changed[0].hash, changed[1].hash);
  EXPECT_NE(changed[1].hash, changed[2].hash);
  const auto elsewhere = of_bytes(trace, 256 * kKiB);
  ASSERT_EQ(elsewhere.size(), 2u);
  EXPECT_NE(elsewhere[0].address, elsewhere[1].address);
  EXPECT_EQ(elsewhere[0].hash, elsewhere[1].hash);
  const auto zeros = of_bytes(trace, 128 * kKiB);
  ASSERT_EQ(zeros.size(), 1u);
  EXPECT_EQ(zeros[0].varied, 0) << "nothing tells one piece of zeros from another";
}

// Who has a trace, and guesses what was sent, cannot try it.
TEST_F(SentTest, EachProcessHashesInItsOwnWay) {
  const ScannedTrace first = record("proc", "sends_again");
  std::filesystem::remove(trace_);
  const ScannedTrace second = record("proc", "sends_again");
  ASSERT_FALSE(first.sent.empty());
  ASSERT_EQ(first.sent.size(), second.sent.size());
  for (size_t i = 0; i < first.sent.size(); ++i) EXPECT_NE(first.sent[i].hash, second.sent[i].hash);
}

TEST_F(SentTest, NothingOutsideTheBytesIsRead) {
  const ScannedTrace trace = record("proc", "sends_again");
  EXPECT_EQ(of_bytes(trace, 64 * kKiB).size(), 1u) << "a read past its end fails, and leaves no record";
  EXPECT_EQ(of_bytes(trace, 64 * kKiB + 8).size(), 1u);
}

TEST_F(SentTest, EachStandsBeforeItsCall) {
  const ScannedTrace trace = record("proc", "sends_again");
  const auto calls = trace.calls_of("cuMemcpyHtoDAsync_v2");
  ASSERT_EQ(calls.size(), trace.sent.size());
  for (size_t i = 0; i < calls.size(); ++i) {
    EXPECT_EQ(trace.sent[i].begin_ns, calls[i].begin_ns);
    EXPECT_EQ(trace.sent[i].bytes, calls[i].bytes);
  }
}

TEST_F(SentTest, WhatTheDriverWouldNotReadOrHasRowsIsLeftAlone) {
  EXPECT_TRUE(record("proc", "sends_what_is_left_alone").sent.empty());
}

TEST_F(SentTest, NothingIsReadWhileCallsAreNotListed) {
  environment_.erase("SYNCSNIFF_TIMELINE");
  const ScannedTrace trace = record("proc", "sends_again");
  EXPECT_TRUE(trace.sent.empty());
  EXPECT_FALSE(trace.calls_of("cuMemcpyHtoDAsync_v2").empty()) << "pageable ones are listed all the same";
}

TEST_F(SentTest, ASystemThatRefusesToReadIsToldOnce) {
  const ScannedTrace trace = record("proc", "sends_where_reading_is_refused");
  if (!finished_.numbers("no_filter").empty()) GTEST_SKIP() << "no seccomp here";
  EXPECT_TRUE(trace.sent.empty());
  ASSERT_EQ(trace.notes.size(), 1u);
  EXPECT_NE(trace.notes[0].find("the system refuses process_vm_readv"), std::string::npos);
}

}  // namespace
}  // namespace syncsniff::tests
