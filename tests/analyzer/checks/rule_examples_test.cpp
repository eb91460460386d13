// Every rule's own examples: `bad` fires its rule and no other, `good` is silent.
#include <gtest/gtest.h>

#include <algorithm>

#include "rules/rule.h"
#include "tests/analyzer/checks/test_program.h"

namespace syncsniff::test {
namespace {

const std::map<std::string, Rule>& rules() {
  static const auto kRules = load_rules(std::string(SYNCSNIFF_SOURCE_DIR) + "/rules/checks");
  return kRules;
}

std::vector<std::string> rule_ids() {
  std::vector<std::string> out;
  for (const auto& [id, rule] : rules()) out.push_back(id);
  return out;
}

std::vector<Finding> findings_of(const Rule& rule, const std::string& text) {
  TemporaryFolder folder;
  const std::string file = folder.write(rule.language == "libtorch" ? "example.cpp" : "example.cu", text);
  const FindingsDocument document = analyse_sources({file}, {}, std::max(1, rule.level));
  for (const UnitStatus& unit : document.units) EXPECT_EQ(unit.status, "analysed") << unit.why;
  return document.findings;
}

class RuleExamples : public testing::TestWithParam<std::string> {};

TEST_P(RuleExamples, BadFiresItsOwnRuleAndNoOther) {
  const Rule& rule = rules().at(GetParam());
  const auto found = findings_of(rule, rule.bad);
  bool own = false;
  for (const Finding& f : found) {
    const bool beside = std::find(rule.beside.begin(), rule.beside.end(), f.rule) != rule.beside.end();
    EXPECT_TRUE(f.rule == rule.id || beside) << f.rule << " at example.cu:" << f.location.line << ": " << f.message;
    own |= f.rule == rule.id;
    EXPECT_FALSE(f.message.empty());
    EXPECT_FALSE(f.fingerprint.empty());
  }
  EXPECT_TRUE(own);
}

TEST_P(RuleExamples, GoodIsSilent) {
  const Rule& rule = rules().at(GetParam());
  for (const Finding& f : findings_of(rule, rule.good)) {
    ADD_FAILURE() << "example.cu:" << f.location.line << ": [" << f.rule << "] " << f.message;
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, RuleExamples, testing::ValuesIn(rule_ids()), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

}  // namespace
}  // namespace syncsniff::test
