// Findings of `check` as a report takes them: a line that several calls make hot is one line of the run.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "instrument/report/findings.h"

namespace syncsniff::report {
namespace {

TEST(StaticSide, ALineIsOneWhoeverCallsIt) {
  FindingsDocument document;
  for (const unsigned call : {10u, 20u, 30u}) {
    Finding finding;
    finding.rule = "sync-in-loop";
    finding.location = {"loss.h", 10, 5, 10, 20};
    finding.hot_call = {"main.cu", call, 1, call, 9};
    finding.fingerprint = std::to_string(call);
    finding.allowed = call == 10;
    document.findings.push_back(finding);
  }
  document.findings.push_back(document.findings.front());
  document.findings.back().location.line = 11;
  const std::string path =
      (std::filesystem::temp_directory_path() / ("static_side_" + std::to_string(getpid()) + ".json")).string();
  std::ofstream(path) << write_findings_json(document);
  const StaticSide side = load_static_side({path, path});
  std::filesystem::remove(path);
  ASSERT_EQ(side.findings.size(), 2u);
  EXPECT_FALSE(side.findings[0].allowed) << "one of its callers is not allowed";
  EXPECT_EQ(side.findings[1].location.line, 11u);
}

TEST(StaticSide, AFileWithoutCalleesIsNamed) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("no_callee_" + std::to_string(getpid()) + ".json")).string();
  std::ofstream(path) << R"({"findings": [{"rule": "alloc-in-loop", "message": "cudaEventCreate creates an event",
                                            "location": {"file": "a.cu", "line": 3}}]})";
  const StaticSide side = load_static_side({path});
  std::filesystem::remove(path);
  ASSERT_EQ(side.findings.size(), 1u);
  EXPECT_EQ(side.findings[0].callee, "") << "the sentence is not read";
  ASSERT_FALSE(side.notes.empty());
  EXPECT_NE(side.notes[0].find("1 findings do not say which call"), std::string::npos) << side.notes[0];
}

}  // namespace
}  // namespace syncsniff::report
