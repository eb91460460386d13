#include "instrument/reader/python_lines.h"

#include <gtest/gtest.h>

#include "instrument/reader/text_fields.h"

namespace syncsniff::reader {
namespace {

// co_linetable of CPython 3.11.7 for a function of eleven lines (a call over four lines, a branch, a loop); what
// co_positions() says of it stands beside.
const std::string kTable = from_hex(
    "8000dd0b10d8080dd80e0ff005030c06f100030c06f400030c068044f00a00080c886182788078d80f138f798a79897b8c7b"
    "d0081ad80d12f000010512f0000105128801d8080c9001890988048804d80b0f804b");
constexpr struct {
  uint32_t offset;
  int line;
} kExpected[] = {{0, 1}, {2, 2}, {14, 3}, {16, 4}, {18, 2}, {36, 7}, {48, 8}, {88, 9}, {96, 10}, {108, 11}};

TEST(PythonLines, AgreesWithCPython) {
  for (auto [offset, line] : kExpected) EXPECT_EQ(python_line(kTable, 1, 0x030b, offset), line) << offset;
  EXPECT_EQ(python_line(kTable, 101, 0x030b, kExpected[4].offset), kExpected[4].line + 100);
}

TEST(PythonLines, FallsBackToTheFirstLine) {
  EXPECT_EQ(python_line(kTable, 1, 0x030a, 40), 1);  // 3.10's table looks otherwise
  EXPECT_EQ(python_line("", 7, 0x030b, 0), 7);
  EXPECT_EQ(python_line(kTable, 7, 0x030b, 1 << 20), 7);
  for (size_t cut = 0; cut < kTable.size(); ++cut)
    EXPECT_GT(python_line(kTable.substr(0, cut), 7, 0x030b, 60), 0) << cut;
}

}  // namespace
}  // namespace syncsniff::reader
