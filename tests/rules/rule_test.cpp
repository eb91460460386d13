// The loader of rules/checks: each fault it tells, and what the shipped rules must hold.
#include "rules/rule.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/rules/scratch.h"

namespace syncsniff {
namespace {

using test::error_of;
using test::Scratch;

// A whole rule, one key a line, so that a test can replace one of them.
std::string rule_text(const std::string& key = "", const std::string& line = "") {
  const std::pair<const char*, const char*> lines[] = {{"id", "id: a-rule\n"},
                                                       {"group", "group: waiting\n"},
                                                       {"level", "level: 1\n"},
                                                       {"summary", "summary: It waits.\n"},
                                                       {"why", "why: Because.\n"},
                                                       {"fix", "fix: Do not.\n"},
                                                       {"fix_safety", "fix_safety: Safe.\n"},
                                                       {"never", "never: [one, two]\n"},
                                                       {"thresholds", "thresholds: {min_wait_us: 2.5}\n"},
                                                       {"language", "language: cuda\n"},
                                                       {"bad", "bad: x();\n"},
                                                       {"good", "good: y();\n"}};
  std::string text;
  for (const auto& [name, usual] : lines) text += key == name ? line : usual;
  return text;
}

TEST(Rules, ReadsEveryKey) {
  Scratch scratch;
  scratch.write("a-rule.yaml", rule_text());
  const auto rules = load_rules(scratch.path());
  ASSERT_EQ(rules.size(), 1u);
  const Rule& rule = rules.at("a-rule");
  EXPECT_EQ(rule.group, "waiting");
  EXPECT_EQ(rule.level, 1);
  EXPECT_EQ(rule.never, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(rule.thresholds.at("min_wait_us"), 2.5);
  EXPECT_EQ(rule.bad, "x();");
}

struct RuleFault {
  const char* key;
  const char* line;
  const char* message;
};

void PrintTo(const RuleFault& fault, std::ostream* out) { *out << fault.key; }

class RuleFaults : public testing::TestWithParam<RuleFault> {};

TEST_P(RuleFaults, AreToldWithFileLineAndKey) {
  Scratch scratch;
  scratch.write("a-rule.yaml", rule_text(GetParam().key, GetParam().line));
  EXPECT_EQ(error_of(scratch.path(), [&] { load_rules(scratch.path()); }), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, RuleFaults,
    testing::Values(
        RuleFault{"id", "id: b-rule\n", "a-rule.yaml:1: key 'id': 'b-rule' is not the file's name, 'a-rule'"},
        RuleFault{"group", "group: idling\n",
                  "a-rule.yaml:2: key 'group': 'idling' is none of: waiting, copying, launching, measuring, kernels"},
        RuleFault{"level", "level: 3\n", "a-rule.yaml:3: key 'level': must be 0, 1 or 2"},
        RuleFault{"level", "level: high\n", "a-rule.yaml:3: key 'level': 'high' is not a whole number"},
        RuleFault{"summary", "", "a-rule.yaml:1: key 'summary': is missing from the file"},
        RuleFault{"summary", "summary:\n", "a-rule.yaml:4: key 'summary': must be a scalar, is nothing"},
        RuleFault{"never", "never: all\n", "a-rule.yaml:8: key 'never': must be a list, is a scalar"},
        RuleFault{"thresholds", "thresholds: {us: slow}\n", "a-rule.yaml:9: key 'us': 'slow' is not a number"},
        RuleFault{"thresholds", "thresholds: {us: 1}\n",
                  "a-rule.yaml:9: key 'us': no code reads it; rules/thresholds.cpp lists what is read"},
        RuleFault{
            "thresholds", "thresholds: {min_share_pct: 1}\n",
            "a-rule.yaml:9: key 'min_share_pct': no code reads it without min_wait_us or min_launches_per_step: no run "
            "measures this rule"},
        RuleFault{"thresholds", "thresholds: {min_wayt_us: 20, min_share_pct: 1}\n",
                  "a-rule.yaml:9: key 'min_wayt_us': no code reads it; rules/thresholds.cpp lists what is read"},
        RuleFault{"thresholds", "thresholds: {us: 1, us: 2}\n",
                  "a-rule.yaml:9: key 'us': given twice, first in line 9"},
        RuleFault{"language", "language: python\n",
                  "a-rule.yaml:10: key 'language': 'python' is none of: cuda, libtorch"},
        RuleFault{"good", "goods: y();\n", "a-rule.yaml:1: key 'good': is missing from the file"},
        RuleFault{"good", "good: y();\nextra: 1\n",
                  "a-rule.yaml:13: key 'extra': unknown key in the file; known: id, group, level, summary, why, fix, "
                  "fix_for, "
                  "fix_safety, never, beside, thresholds, language, bad, good"},
        RuleFault{"good", "good: y();\ngood: z();\n", "a-rule.yaml:13: key 'good': given twice, first in line 12"},
        RuleFault{"why", "why: a: b\n", "a-rule.yaml:5: not YAML: illegal map value"}));

TEST(Rules, ShippedTextsAreWhole) {
  const auto rules = load_rules(SYNCSNIFF_SOURCE_DIR "/rules/checks");
  for (const char* id : {"sync-in-loop",
                         "redundant-sync",
                         "blocking-copy-in-loop",
                         "scalar-readback",
                         "pageable-async-copy",
                         "tensor-to-host",
                         "per-tensor-loop",
                         "unpinned-to-device",
                         "pinned-in-name-only",
                         "alloc-in-loop",
                         "unfused-elementwise-chain",
                         "branch-on-device",
                         "async-timing",
                         "pageable-copy-in-loop",
                         "shared-read-unsynced",
                         "strided-by-thread",
                         "launch-bound-step",
                         "tensor-cores-off",
                         "cold-timing",
                         "copy-not-overlapped",
                         "legacy-stream-serialises"}) {
    EXPECT_TRUE(rules.count(id)) << id;
  }
  for (const auto& [id, rule] : rules) {
    for (const std::string* text : {&rule.summary, &rule.why, &rule.fix, &rule.fix_safety}) {
      EXPECT_TRUE(text->ends_with('.')) << id << ": " << *text;
      EXPECT_EQ(text->find("TODO"), std::string::npos) << id;
    }
    EXPECT_LE(rule.summary.size(), 100u) << id << ": the summary is one line of a terminal";
    EXPECT_FALSE(rule.never.empty()) << id;
    const std::string include = rule.language == "cuda" ? "#include <cuda_runtime.h>" : "#include <torch/torch.h>";
    for (const std::string* code : {&rule.bad, &rule.good}) {
      EXPECT_NE(code->find(include), std::string::npos) << id << ": examples are whole units";
      EXPECT_EQ(code->find("TODO"), std::string::npos) << id;
    }
    EXPECT_NE(rule.bad, rule.good) << id;
  }
}

// The sentences of scripts/new-rule are there to be replaced.
TEST(ShippedRules, NoneStillHasASentenceOfTheTemplate) {
  const std::string script = test::read_text_file(SYNCSNIFF_SOURCE_DIR "/scripts/new-rule");
  if (script.empty()) GTEST_SKIP() << "scripts/new-rule is not in this tree";
  for (const char* sentence :
       {"Say in one line what the code does wrong.", "Say what it costs and how, with a measured number.",
        "Say what to write instead.", "Say when the fix changes what the program does.",
        "name the code that looks the same and is right", "The same, repaired."}) {
    EXPECT_NE(script.find(sentence), std::string::npos) << "the template has changed: " << sentence;
    for (const auto& entry : std::filesystem::directory_iterator(SYNCSNIFF_SOURCE_DIR "/rules/checks"))
      EXPECT_EQ(test::read_text_file(entry.path()).find(sentence), std::string::npos)
          << entry.path() << ": " << sentence;
  }
}

}  // namespace
}  // namespace syncsniff
