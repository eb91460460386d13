#include "instrument/report/report_command.h"

#include <gtest/gtest.h>

namespace syncsniff::report {
namespace {

TEST(ReportCommand, WordsAreQuotedForAShell) {
  EXPECT_EQ(shell_word("runs/train-1.sstrace.41"), "runs/train-1.sstrace.41");
  EXPECT_EQ(shell_word("my run.sstrace"), "'my run.sstrace'");
  EXPECT_EQ(shell_word("it's"), R"('it'\''s')");
  EXPECT_EQ(shell_word("~/$HOME"), "'~/$HOME'");
  EXPECT_EQ(shell_word(""), "''");
}

TEST(ReportCommand, NamesWhatMakesItTheSameReport) {
  EXPECT_EQ(report_command({"a.sstrace"}, {}, {}), "`syncsniff report a.sstrace`");
  Reading reading;
  reading.border.add(reader::Whose::kLibrarys, "third_party");
  reading.border.add(reader::Whose::kUsers, "my*");
  reading.step = timeline::parse_step_choice("nvtx:one step");
  EXPECT_EQ(report_command({"a.sstrace", "a.sstrace.7"}, {"f.json"}, reading),
            "`syncsniff report --findings=f.json '--step=nvtx:one step' --library-code=third_party '--user-code=my*' "
            "a.sstrace a.sstrace.7`");
  Reading line;
  line.step = timeline::parse_step_choice("line:train.py:30");
  EXPECT_EQ(report_command({"a"}, {}, line), "`syncsniff report --step=line:train.py:30 a`");
}

}  // namespace
}  // namespace syncsniff::report
