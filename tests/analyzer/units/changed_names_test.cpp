// Which names a change touches, and which units mention them.
#include "analyzer/changed_names.h"

#include <gtest/gtest.h>

namespace syncsniff {
namespace {

using Names = std::set<std::string>;

TEST(ChangedNames, AreOnLinesThatOneOfTheTextsHas) {
  const std::string before = "#pragma once\nconstexpr int kEvery = 100;\nint width();\n";
  const std::string now =
      "#pragma once\n// a comment of kOther\n/* and one\n * of kThird */\nconstexpr int kEvery = 1;\nint width();\n";
  EXPECT_EQ(changed_names(before, now), Names{"kEvery"});
  EXPECT_EQ(changed_names(before, before), Names{});
  EXPECT_EQ(changed_names("", "/* the kFirst */ constexpr int kSecond = 1'000;  // kThird\n"), Names{"kSecond"});
  EXPECT_EQ(changed_names("", "of kFirst */ constexpr int kSecond = 1;\n"), Names{"kSecond"});
  EXPECT_EQ(changed_names("", "const char* kUrl = \"http://kFirst\"; const int kSecond = 1;\n"),
            (Names{"kUrl", "kSecond"}));
  EXPECT_EQ(changed_names("", "struct Layer { int n; float rate; };\n"), (Names{"Layer", "rate"})) << "n is too short";
}

TEST(ChangedNames, AreMentionedAsWholeWords) {
  EXPECT_EQ(mentioned_names("if (i % kEvery == 0) kEveryOther();", {"kEvery", "kNever"}), Names{"kEvery"});
  EXPECT_EQ(mentioned_names("kEvery2 1kEvery", {"kEvery"}), Names{});
}

// Of forty units, `mention` name the constant of the header.
std::set<size_t> units_of(size_t mention) {
  std::vector<facts::StaleUnit> units(40);
  SourceTexts now{{"/p/a.h", "constexpr int kEvery = 1;\n"}};
  for (size_t i = 0; i < units.size(); ++i) {
    const std::string file = "/p/unit" + std::to_string(i) + ".cu";
    units[i].unit.sources = {{facts::Text(file), 0}, {facts::Text("/p/a.h"), 0}};
    units[i].changed = {"/p/a.h"};
    now[file] = i < mention ? "int f() { return kEvery; }" : "int f();";
  }
  return units_that_mention_changes(units, {{"/p/a.h", "constexpr int kEvery = 100;\n"}}, now);
}

TEST(ChangedNames, LeadToTheUnitsThatMentionThemWhereTheyAreFew) {
  EXPECT_EQ(units_of(2), (std::set<size_t>{0, 1}));
  EXPECT_EQ(units_of(16).size(), 16u);
  EXPECT_EQ(units_of(17).size(), 0u);
}

}  // namespace
}  // namespace syncsniff
