// The progress line fits the terminal whatever the names are, and estimates by the units that were parsed.
#include "analyzer/progress_line.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <thread>

#include "rules/untrusted_text.h"

namespace syncsniff {
namespace {

using Seconds = std::chrono::duration<double>;

TEST(ProgressLine, EstimatesByWhatWasParsed) {
  EXPECT_EQ(units_line(0, 1, 0, 1, Seconds(5)), "0 of 1 unit");
  EXPECT_EQ(units_line(30, 40, 0, 10, Seconds(5)), "30 of 40 units") << "those of the cache say nothing of the time";
  EXPECT_EQ(units_line(32, 40, 2, 8, Seconds(5)), "32 of 40 units, about 20 s left");
  EXPECT_EQ(units_line(39, 40, 9, 1, Seconds(0.9)), "39 of 40 units, about 1 s left");
  EXPECT_EQ(units_line(1, 61, 1, 60, Seconds(10)), "1 of 61 units, about 10 min left");
  EXPECT_EQ(units_line(40, 40, 10, 0, Seconds(9)), "40 of 40 units");
}

TEST(ProgressLine, FitsTheTerminal) {
  EXPECT_EQ(fit_line("1 of 2 units", "src/a.cu", 40), "1 of 2 units  src/a.cu");
  EXPECT_EQ(fit_line("1 of 2 units", "src/a/long/path/to/train.cu", 28), "1 of 2 units  ...to/train.cu");
  EXPECT_EQ(fit_line("1 of 2 units", "src/train.cu", 20), "1 of 2 units") << "no room for a name";
  EXPECT_EQ(fit_line("1 of 2 units", "src/train.cu", 6), "1 of 2");
  EXPECT_EQ(fit_line("", "a\n\x1b[2J.cu", 40), "  a\\n\\x1b[2J.cu");
  for (size_t columns = 1; columns < 60; ++columns) {
    for (const char* path : {"学習/訓練ループ/とても長い名前.cu", "ฝึกสอน/ขั้นตอนการฝึก.cu", "обучение/цикл/шаг.cu"})
      EXPECT_LE(columns_of(fit_line("1 of 2 units", path, columns)), columns) << path;
  }
}

TEST(ProgressLine, IsSilentAtFirstAndLeavesNothing) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  {
    ProgressLine line(ends[1]);
    line.show("early");
    std::this_thread::sleep_for(std::chrono::milliseconds(350));
    line.show("late", "a.cu");
    line.show("too soon after it");
  }
  ProgressLine nowhere(-1);
  std::this_thread::sleep_for(std::chrono::milliseconds(350));
  nowhere.show("nothing");
  close(ends[1]);
  char text[200];
  const ssize_t count = read(ends[0], text, sizeof text);
  close(ends[0]);
  EXPECT_EQ(std::string(text, static_cast<size_t>(count)), "\r\x1b[Klate  a.cu\r\x1b[K");
}

}  // namespace
}  // namespace syncsniff
