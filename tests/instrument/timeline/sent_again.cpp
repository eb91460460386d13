#include "instrument/timeline/sent_again.h"

#include <gtest/gtest.h>

#include "tests/instrument/support.h"

namespace syncsniff {
namespace {

using timeline::SentAgain;

// A step is a millisecond; a window covers steps 2 to 9. Stack n is train.cu:<10 n>.
struct Copy {
  int stack = 1;
  uint64_t bytes = 1 << 20, hash = 7;
  int varied = 112, device = 0;
  std::string address = "0x5000", api = "1";
};

std::string text_of(uint64_t begin_ns, const Copy& copy) {
  const std::string begin = " begin=" + std::to_string(begin_ns), bytes = " bytes=" + std::to_string(copy.bytes);
  return "sent" + begin + bytes + " address=" + copy.address + " hash=" + std::to_string(copy.hash) +
         " varied=" + std::to_string(copy.varied) + " compared=112\ncall api=" + copy.api +
         " class=copy src=pageable dst=device flags=in-window stack=" + std::to_string(copy.stack) +
         " device=" + std::to_string(copy.device) + begin + bytes + " duration=50000\n";
}

timeline::Steps steps_of_a_ms(uint64_t count) {
  timeline::Steps steps;
  for (uint64_t i = 0; i < count; ++i) steps.regular.push_back({i * 1000000, (i + 1) * 1000000});
  return steps;
}

constexpr uint64_t kSteps = 12;

// What each step copies: `copies(step)`, some 100 us apart.
template <class Copies>
SentAgain found(Copies copies, bool with_steps = true) {
  std::string text =
      "trace timeline=1 start=0 end=12000000\nchunk tid=1\napi id=1 text=\"cuMemcpyHtoDAsync_v2\"\n"
      "api id=2 text=\"cuMemcpyHtoD_v2\"\nwindow begin=1900000 end=10100000 launches=3\n" +
      test::plain_stacks(3);
  for (uint64_t step = 2; step < 10; ++step) {
    uint64_t at = step * 1000000;
    for (const Copy& copy : copies(step)) text += text_of(at += 100000, copy);
  }
  const reader::Trace trace = test::trace_of(text);
  return timeline::find_sent_again(trace, test::places_of(trace),
                                   with_steps ? steps_of_a_ms(kSteps) : timeline::Steps{});
}

TEST(SentAgain, TheSameBytesEachStep) {
  const SentAgain all = found([](uint64_t) { return std::vector<Copy>{{}}; });
  EXPECT_EQ(all.steps, 8);
  EXPECT_EQ(all.span_ns, 8000000u);
  ASSERT_EQ(all.lines.size(), 1u);
  const timeline::SentLine& line = all.lines[0];
  EXPECT_EQ(place_text(line.place), "train.cu:10");
  EXPECT_EQ(line.copies, 8u);
  EXPECT_EQ(line.again, 7u) << "the first is new";
  EXPECT_EQ(line.again_bytes, 7u << 20);
  EXPECT_EQ(line.again_ns, 7u * 50000);
  EXPECT_EQ(line.again_contents, 1u);
  EXPECT_EQ(line.contents_bytes, 1u << 20);
  EXPECT_EQ(line.host_memory, 1u << static_cast<unsigned>(trace::HostMemory::kPageable));
  EXPECT_TRUE(is_worth_telling(line, all));
}

TEST(SentAgain, OtherBytesFromTheSameBufferAreNew) {
  EXPECT_TRUE(found([](uint64_t step) { return std::vector<Copy>{{.hash = step}}; }).lines.empty());
}

// A mask made anew in each step lies at another address and is the same.
TEST(SentAgain, TheSameBytesFromAnotherBufferAreNot) {
  const SentAgain all =
      found([](uint64_t step) { return std::vector<Copy>{{.address = "0x" + std::to_string(step) + "000"}}; });
  ASSERT_EQ(all.lines.size(), 1u);
  EXPECT_EQ(all.lines[0].again, 7u);
}

TEST(SentAgain, EachDeviceNeedsItsOwn) {
  const SentAgain all =
      found([](uint64_t step) { return std::vector<Copy>{{.hash = step, .device = 0}, {.hash = step, .device = 1}}; });
  EXPECT_TRUE(all.lines.empty());
}

TEST(SentAgain, AsManyBytesOrNotTheSame) {
  const SentAgain all = found([](uint64_t step) { return std::vector<Copy>{{.bytes = (1 << 20) + 64 * step}}; });
  EXPECT_TRUE(all.lines.empty()) << "samples of copies of other lengths lie elsewhere";
}

// Two one-hot matrices differ in a few words among zeros, which samples miss.
TEST(SentAgain, BytesThatAreNearlyAllAlikeSayNothing) {
  EXPECT_TRUE(found([](uint64_t) { return std::vector<Copy>{{.varied = 0}}; }).lines.empty());
  EXPECT_TRUE(found([](uint64_t) { return std::vector<Copy>{{.varied = 22}}; }).lines.empty());
  EXPECT_FALSE(found([](uint64_t) { return std::vector<Copy>{{.varied = 23}}; }).lines.empty());
}

// Three batches by turns: after the first round all of them have been there.
TEST(SentAgain, ADataSetThatFitsIsSeveralContents) {
  const SentAgain all = found([](uint64_t step) { return std::vector<Copy>{{.hash = step % 3}}; });
  ASSERT_EQ(all.lines.size(), 1u);
  EXPECT_EQ(all.lines[0].again, 5u);
  EXPECT_EQ(all.lines[0].again_contents, 3u);
  EXPECT_EQ(all.lines[0].contents_bytes, 3u << 20);
}

TEST(SentAgain, LinesAndCallsAreApartAndMostBytesComeFirst) {
  const SentAgain all = found([](uint64_t step) {
    return std::vector<Copy>{{.stack = 1, .bytes = 8192},
                             {.stack = 2, .hash = 9},
                             {.stack = 3, .hash = 100 + step},
                             {.stack = 2, .hash = 8, .api = "2"}};
  });
  ASSERT_EQ(all.lines.size(), 3u);
  EXPECT_EQ(place_text(all.lines[0].place) + all.lines[0].api, "train.cu:20cuMemcpyHtoDAsync_v2");
  EXPECT_EQ(place_text(all.lines[1].place) + all.lines[1].api, "train.cu:20cuMemcpyHtoD_v2");
  EXPECT_EQ(place_text(all.lines[2].place), "train.cu:10");
}

TEST(SentAgain, WithoutStepsTheFiguresAreOfTheWindows) {
  const SentAgain all = found([](uint64_t) { return std::vector<Copy>{{}}; }, false);
  EXPECT_EQ(all.steps, 0);
  EXPECT_EQ(all.span_ns, 8200000u);
  EXPECT_EQ(all.lines.at(0).again, 7u);
}

TEST(SentAgain, ACopyThatIsNotListedSaysNothing) {
  const reader::Trace trace = test::trace_of(
      "trace timeline=2 start=0 end=12000000\nchunk tid=1\nsent begin=5 bytes=4096 hash=1 varied=112 compared=112\n"
      "sent begin=6 bytes=4096 hash=1 varied=112 compared=112\nsent begin=7 bytes=4096 hash=1 varied=9 compared=0\n"
      "call class=copy begin=6 bytes=8192\nchunk tid=2\ncall class=copy begin=5 bytes=4096\n");
  EXPECT_TRUE(timeline::find_sent_again(trace, test::places_of(trace), {}).lines.empty());
}

TEST(SentAgain, SmallPartsAreNotWorthTelling) {
  SentAgain all;
  all.span_ns = 1000000;
  timeline::SentLine line;
  line.copies = 10, line.again = 9;
  line.bytes = 1000000, line.again_bytes = 900000;
  EXPECT_TRUE(is_worth_telling(line, all)) << "54 us of copying in a millisecond";
  line.again_bytes = 240000;
  EXPECT_FALSE(is_worth_telling(line, all)) << "less than a quarter of what the line sends";
  line.bytes = 100000, line.again_bytes = 90000;
  EXPECT_FALSE(is_worth_telling(line, all)) << "5 us in a millisecond";
  line.again_ns = 20000;
  EXPECT_TRUE(is_worth_telling(line, all)) << "the host was held up for 20 us";
  line.again = 2;
  EXPECT_FALSE(is_worth_telling(line, all)) << "twice may be chance";
}

}  // namespace
}  // namespace syncsniff
