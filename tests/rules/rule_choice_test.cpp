#include "rules/rule_choice.h"

#include <gtest/gtest.h>

namespace syncsniff {
namespace {

using Chosen = std::map<std::string, int>;

std::map<std::string, Rule> three_rules() {
  std::map<std::string, Rule> rules;
  for (const auto& [id, level] : Chosen{{"sync-in-loop", 0}, {"sync-late", 1}, {"launch-bound", 2}}) {
    rules[id].id = id;
    rules[id].level = level;
  }
  return rules;
}

Chosen chosen(const std::vector<std::string>& globs, int level = 1) {
  return chosen_rules({globs, level}, three_rules());
}

TEST(RuleChoice, WithoutGlobsTheLevelDecides) {
  EXPECT_EQ(chosen({}), (Chosen{{"sync-in-loop", 1}, {"sync-late", 1}}));
  EXPECT_EQ(chosen({}, 0), (Chosen{{"sync-in-loop", 0}}));
  EXPECT_EQ(chosen({}, -1), Chosen{});
}

TEST(RuleChoice, GlobsTurnRulesOnAndOffInOrder) {
  EXPECT_EQ(chosen({"-*", "sync-in-loop"}), (Chosen{{"sync-in-loop", 1}}));
  EXPECT_EQ(chosen({"sync-in-loop", "-*"}), Chosen{});
  EXPECT_EQ(chosen({"-sync-*"}), Chosen{});
  EXPECT_EQ(chosen({"-*late"}), (Chosen{{"sync-in-loop", 1}}));
  EXPECT_EQ(chosen({"-*", "*", "-sync-late"}), (Chosen{{"sync-in-loop", 1}, {"launch-bound", 2}}));
}

TEST(RuleChoice, ANamedRuleIsOnWhateverItsLevel) {
  EXPECT_EQ(chosen({"launch-bound"}, 0), (Chosen{{"sync-in-loop", 0}, {"launch-bound", 2}}));
  EXPECT_EQ(chosen({"-*", "sync-late"}, 0), (Chosen{{"sync-late", 1}}));
}

TEST(RuleChoice, AGlobMustMatchARule) {
  EXPECT_EQ(why_no_rule("-sync-*", three_rules()), "");
  EXPECT_EQ(why_no_rule("*", three_rules()), "");
  EXPECT_EQ(why_no_rule("sync-lat", three_rules()), "unknown rule 'sync-lat'; did you mean 'sync-late'?");
  EXPECT_EQ(why_no_rule("-gone*", three_rules()),
            "'gone*' matches no rule; there are launch-bound, sync-in-loop, sync-late");
  EXPECT_EQ(why_no_rule("", three_rules()), "'' names no rule");
}

}  // namespace
}  // namespace syncsniff
