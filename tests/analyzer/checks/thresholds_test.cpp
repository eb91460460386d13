// Each threshold of a rule that `check` is to read is read, by that rule's name: without it no program can be checked.
#include "rules/thresholds.h"

#include <gtest/gtest.h>

#include "analyzer/checks/check.h"
#include "analyzer/program/link.h"
#include "rules/words.h"

namespace syncsniff {
namespace {

const std::string kRules = std::string(SYNCSNIFF_SOURCE_DIR) + "/rules";

facts::UnitFacts unit_of_one_function() {
  facts::UnitFacts unit;
  unit.file = "/a.cu";
  facts::Function function;
  function.usr = function.name = "a";
  function.place.file = unit.file;
  function.place.line = 1;
  function.regions.emplace_back();
  unit.functions.push_back(function);
  return unit;
}

void run_all_checks(const std::map<std::string, Rule>& rules) {
  static const ApiTable apis = ApiTable::load(kRules + "/apis");
  static const Words words = Words::load(kRules + "/words.yaml");
  std::vector<facts::UnitFacts> units{unit_of_one_function()};
  const auto programs = program::link_programs(units, apis, words);
  ASSERT_FALSE(programs.empty());
  checks::Reporter reporter(rules);
  for (const checks::CheckEntry& check : checks::all_checks()) check.run(*programs[0], reporter);
}

TEST(Thresholds, OfTheTablesAreAllRead) {
  const std::map<std::string, Rule> rules = load_rules(kRules + "/checks");
  run_all_checks(rules);
  size_t of_check = 0;
  for (const auto& [id, rule] : rules) {
    for (const auto& [name, value] : rule.thresholds) {
      if (find_threshold(name)->reader == ThresholdName::Reader::kRun) continue;
      ++of_check;
      std::map<std::string, Rule> without = rules;
      without[id].thresholds.erase(name);
      EXPECT_THROW(run_all_checks(without), std::out_of_range) << id << ": nothing reads " << name;
    }
  }
  EXPECT_GE(of_check, 9u);
}

TEST(Thresholds, EachNameBelongsToARule) {
  const std::map<std::string, Rule> rules = load_rules(kRules + "/checks");
  for (const ThresholdName& known : threshold_names()) {
    const bool used = std::any_of(rules.begin(), rules.end(),
                                  [&](const auto& entry) { return entry.second.thresholds.count(known.name) != 0; });
    EXPECT_TRUE(used) << known.name;
  }
}

}  // namespace
}  // namespace syncsniff
