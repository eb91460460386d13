#include "analyzer/output/summary.h"

#include <gtest/gtest.h>

#include <sstream>

#include "rules/nearest_name.h"
#include "tests/analyzer/output/sample_document.h"

namespace syncsniff::output {
namespace {

struct Result {
  std::string line;
  int code;
  bool operator==(const Result&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Result& result) { return out << result.code << " " << result.line; }

Result judge(const FindingsDocument& document, const Baseline& baseline = {},
             std::optional<Severity> fail = Severity::kLow) {
  Tally tally = count(document, baseline, fail);
  std::ostringstream told;
  return {summary_line(tally), report_nothing_analysed(tally, false, told) ? 2 : exit_code(tally)};
}

FindingsDocument units(std::vector<std::string> statuses) {
  FindingsDocument document;
  for (auto& status : statuses) document.units.push_back({"u.cu", status, "why"});
  return document;
}

TEST(Summary, CountsWhatCounts) {
  EXPECT_EQ(judge(sample_document()),
            (Result{"3 findings in 2 files (1 high, 1 medium, 1 low), 1 allowed; 1 unit analysed, 1 partial, 1 failed: "
                    "not all of the program was checked",
                    1}));
}

TEST(Summary, BaselineFindingsDoNotFailTheRun) {
  Result result = judge(sample_document(), {{"aa01", Severity::kHigh}, {"bb02", Severity::kHigh}});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.line.substr(0, result.line.find(';')), "1 finding in 1 file (1 low), 1 allowed, 2 in the baseline");
  EXPECT_EQ(judge(sample_document(), {{"aa01", Severity::kHigh}, {"bb02", Severity::kHigh}}, Severity::kMedium).code,
            0);
}

TEST(Summary, AFindingWithoutFingerprintIsInNoBaseline) {
  EXPECT_EQ(count(sample_document(), {{"", Severity::kHigh}}, Severity::kLow).in_baseline, 0u);
}

TEST(Summary, FailLevel) {
  EXPECT_EQ(judge(sample_document(), {}, Severity::kHigh).code, 1);
  EXPECT_EQ(judge(sample_document(), {{"aa01", Severity::kHigh}}, Severity::kHigh).code, 0);
  EXPECT_EQ(judge(sample_document(), {}, std::nullopt).code, 0);
  FindingsDocument info = units({"analysed"});
  info.findings.resize(1);
  info.findings[0].severity = Severity::kInfo;
  EXPECT_EQ(judge(info).code, 0);
  EXPECT_EQ(judge(info, {}, Severity::kInfo).code, 1);
}

TEST(Summary, Units) {
  EXPECT_EQ(judge(units({"analysed", "analysed"})), (Result{"no findings; 2 units analysed", 0}));
  EXPECT_EQ(judge(units({"analysed", "failed"})),
            (Result{"no findings; 1 unit analysed, 1 failed: not all of the program was checked", 0}));
  EXPECT_EQ(judge(units({"partial"})).code, 2);
  EXPECT_EQ(judge(units({"partial", "failed"})).code, 2);
  EXPECT_EQ(judge(units({"partial", "analysed"})).code, 0);
  EXPECT_EQ(judge(units({"failed"})).code, 2);
  EXPECT_EQ(judge(units({})).code, 2);
  EXPECT_EQ(judge(units({"odd"})).code, 2);  // a status we do not know is not a clean one
  FindingsDocument without_a_rule = units({"analysed"});
  without_a_rule.rules_left_out = {"alloc-in-loop was not checked: it took over 60 s"};
  EXPECT_EQ(judge(without_a_rule),
            (Result{"no findings; 1 unit analysed, 1 rule left out: not all of the program was checked", 0}));
}

TEST(Summary, WhatWasReadInPartIsNotCleanUnlessAccepted) {
  Tally tally = count(units({"partial"}), {}, Severity::kLow);
  std::ostringstream told, silent;
  EXPECT_TRUE(report_nothing_analysed(tally, false, told));
  EXPECT_EQ(
      told.str(),
      "syncsniff: error: no unit could be read whole: 1 unit partial; fix what the warnings name (often a compile "
      "database, -p), or give --accept-partial\n");
  EXPECT_FALSE(report_nothing_analysed(tally, true, silent));
  EXPECT_EQ(silent.str(), "");
  tally.no_database = true;
  EXPECT_TRUE(report_nothing_analysed(tally, true, told)) << "a hook on a machine without a build is not silent";
  EXPECT_NE(told.str().find("without a compile database: 1 unit partial"), std::string::npos);
  tally.findings = 1;
  EXPECT_FALSE(report_nothing_analysed(tally, false, silent));
}

TEST(Nearest, Name) {
  std::vector<std::string> known{"sync-in-loop", "redundant-sync", "scalar-readback"};
  EXPECT_EQ(nearest_name("sync-in-lop", known), "sync-in-loop");
  EXPECT_EQ(nearest_name("redundantsync", known), "redundant-sync");
  EXPECT_EQ(nearest_name("scalar_readback", known), "scalar-readback");
  EXPECT_EQ(nearest_name("quite-another", known), "");
  EXPECT_EQ(nearest_name("", known), "");
}

}  // namespace
}  // namespace syncsniff::output
