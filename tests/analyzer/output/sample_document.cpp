#include "tests/analyzer/output/sample_document.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace syncsniff::output {
namespace {

const std::string kFolder = std::string(SYNCSNIFF_SOURCE_DIR) + "/tests/analyzer/output/";

Finding redundant() {
  Finding finding;
  finding.rule = "redundant-sync";
  finding.message = "cudaDeviceSynchronize waits again for what the wait above has waited for";
  finding.location = {"train.cu", 8, 5, 8, 28};
  finding.function = "main";
  finding.evidence = {{{"train.cu", 7, 5, 7, 28}, "the first wait; nothing is enqueued after it"}};
  finding.fix = {FixTier::kSafe, "delete it", {{"train.cu", 157, 29, ""}}};
  finding.fingerprint = "aa01";
  return finding;
}

Finding in_loop() {
  Finding finding;
  finding.rule = "sync-in-loop";
  finding.severity = Severity::kMedium;
  finding.message = "wait_for_it waits for the device in a loop that launches GPU work";
  finding.location = {"my step.cu", 2, 22, 2, 35};
  finding.function = "forward";
  finding.path = {{{"train.cu", 5, 3, 12, 4}, "in this loop"},
                  {{"train.cu", 6, 2, 6, 15}, "forward is called here"},
                  {{"my step.cu", 2, 22, 2, 35}, "and waits here"}};
  finding.fix = {FixTier::kSuggested, "move the wait out of the loop", {}};
  finding.fingerprint = "bb02";
  return finding;
}

Finding copied() {
  Finding finding;
  finding.rule = "blocking-copy-in-loop";  // no YAML of this name in data/: a rule may be missing there
  finding.level = 1;
  finding.severity = Severity::kLow;
  finding.message = "copy blocks the host";
  finding.location = {"train.cu", 9, 10, 10, 23};
  finding.function = "main";
  return finding;
}

Finding read_back() {
  Finding finding;
  finding.rule = "scalar-readback";
  finding.message = "report fetches 4 bytes in every step";
  finding.location = {"train.cu", 11, 5, 11, 17};
  finding.function = "main";
  finding.fix = {FixTier::kSuggested, "read it some steps late", {}};
  finding.fingerprint = "cc03";
  finding.allowed = true;
  finding.allowed_because = "printed for the plots";
  return finding;
}

}  // namespace

FindingsDocument sample_document() {
  FindingsDocument document;
  document.findings = {in_loop(), redundant(), copied(), read_back()};
  document.units = {{"train.cu", "analysed", ""},
                    {"my step.cu", "partial", "1 error: 'omp.h' file not found"},
                    {"other,100%:x.cu", "failed", "fatal error\nin line 3"}};
  return document;
}

SourceCache sample_sources() { return SourceCache(kFolder + "inputs"); }

void expect_golden(const std::string& name, const std::string& actual) {
  std::string path = kFolder + "golden/" + name;
  if (std::getenv("SYNCSNIFF_UPDATE_GOLDEN")) {
    std::ofstream(path, std::ios::binary) << actual;
    return;
  }
  auto expected = read_whole_file(path);
  ASSERT_TRUE(expected) << path << " is missing; SYNCSNIFF_UPDATE_GOLDEN=1 writes it";
  EXPECT_EQ(*expected, actual) << "SYNCSNIFF_UPDATE_GOLDEN=1 rewrites " << path;
}

}  // namespace syncsniff::output
