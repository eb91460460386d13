#include "instrument/launcher/report_command.h"

#include <gtest/gtest.h>

#include "instrument/launcher/options.h"

namespace syncsniff::launcher {
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
  const ReportOptions options = parse_report({"--library-code=third_party", "--step", "nvtx:one step", "--findings",
                                              "f.json", "--user-code=my*", "a.sstrace", "a.sstrace.7"});
  EXPECT_EQ(report_command(options.traces, options.findings, options.reading),
            "`syncsniff report --findings=f.json '--step=nvtx:one step' --library-code=third_party '--user-code=my*' "
            "a.sstrace a.sstrace.7`");
  const ReportOptions line = parse_report({"--step=line:train.py:30", "a"});
  EXPECT_EQ(report_command(line.traces, {}, line.reading), "`syncsniff report --step=line:train.py:30 a`");
}

}  // namespace
}  // namespace syncsniff::launcher
