// The programs of unwind tables, by which the frames of a thread are found that nothing is recorded of.
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "instrument/sampler/frame_program.h"
#include "instrument/sampler/mapped_objects.h"
#include "instrument/sampler/outer_frames.h"

namespace syncsniff::sampler {
namespace {

using Base = FrameRule::Base;

FrameRule run(const std::string& bytes, uint64_t address) {
  FrameProgram program;
  program.initial = {7, 8, false};
  FrameState state = program.initial;
  if (!program.run({bytes.data(), bytes.data() + bytes.size()}, 0x1000, address, state)) return {};
  return rule_of(state);
}

// push rbp; mov rbp, rsp; ...; leave; ret, as compilers write it.
const std::string kWithFramePointer("\x41\x0e\x10\x86\x02\x43\x0d\x06\x60\x0c\x07\x08", 12);

TEST(FrameProgram, TheRuleIsThatOfTheAddress) {
  const FrameRule at_entry = run(kWithFramePointer, 0x1000), pushed = run(kWithFramePointer, 0x1001),
                  set_up = run(kWithFramePointer, 0x1010), left = run(kWithFramePointer, 0x1030);
  EXPECT_EQ(at_entry.base, Base::kStackPointer);
  EXPECT_EQ(at_entry.offset, 8u);
  EXPECT_EQ(pushed.base, Base::kStackPointer);
  EXPECT_EQ(pushed.offset, 16u);
  EXPECT_EQ(set_up.base, Base::kFramePointer);
  EXPECT_EQ(set_up.offset, 16u);
  EXPECT_EQ(left.base, Base::kStackPointer);
  EXPECT_EQ(left.offset, 8u);
}

TEST(FrameProgram, WhatIsRememberedIsRestored) {
  // Remember; advance 1, offset 48; advance 1, restore.
  const std::string bytes("\x0a\x41\x0e\x30\x41\x0b", 6);
  EXPECT_EQ(run(bytes, 0x1001).offset, 48u);
  EXPECT_EQ(run(bytes, 0x1002).offset, 8u);
  EXPECT_EQ(run(std::string("\x0b", 1), 0x1000).base, Base::kUnknown) << "there is none";
}

TEST(FrameProgram, AnExpressionGivesNoRule) {
  EXPECT_EQ(run(std::string("\x0f\x02\x77\x08", 4), 0x1000).base, Base::kUnknown);  // of the linkage table
}

TEST(FrameProgram, WhatIsCutOffOrNotKnownGivesNoRule) {
  EXPECT_EQ(run(std::string("\x0c\x07", 2), 0x1000).base, Base::kUnknown);
  EXPECT_EQ(run(std::string("\x3f", 1), 0x1000).base, Base::kUnknown);
  EXPECT_EQ(run(std::string("\x10\x03\xff", 3), 0x1000).base, Base::kUnknown) << "longer than what is left";
}

TEST(DwarfBytes, OfNoBytesThereIsNoText) {
  DwarfBytes in(nullptr, nullptr);
  EXPECT_EQ(in.text(), "");
  EXPECT_TRUE(in.failed());
}

TEST(DwarfBytes, NumbersEndWithTheBytes) {
  const std::string bytes("\xe5\x8e\x26\x7f\x80", 5);
  DwarfBytes in(bytes.data(), bytes.data() + bytes.size());
  EXPECT_EQ(in.uleb(), 624485u);
  EXPECT_EQ(in.sleb(), -1);
  in.uleb();
  EXPECT_TRUE(in.failed());
}

// While a process executes another program, /proc/PID/stat gives an address of any alignment. The bytes after the last
// whole word once overwrote the heap of the launcher, which then aborted; the sanitized build of this test shows that.
TEST(OuterFrames, TheTopOfTheStackMayBeAnyAddress) {
  RemoteMemory memory(getpid());
  const MappedObjects objects(getpid());
  ReturnAddresses addresses(memory, objects);
  UnwindTable table(memory, objects);
  const std::vector<char> stack(256 << 10);
  const auto end = reinterpret_cast<uint64_t>(stack.data()) + stack.size();
  for (uint64_t by = 1; by <= 16; ++by) EXPECT_TRUE(OuterFrames(memory, addresses, table, end - by).read(0).empty());
}

}  // namespace
}  // namespace syncsniff::sampler
