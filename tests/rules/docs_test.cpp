// docs/rules/ is what syncsniff-docs makes of rules/checks/, no more and no less.
#include <gtest/gtest.h>

#include "rules/rule_docs.h"
#include "tests/rules/scratch.h"

namespace syncsniff {
namespace {

namespace fs = std::filesystem;

TEST(RuleDocs, PagesAreUpToDate) {
  const fs::path folder = SYNCSNIFF_SOURCE_DIR "/docs/rules";
  const auto pages = render_rule_docs(load_rules(SYNCSNIFF_SOURCE_DIR "/rules/checks"));
  for (const auto& [name, page] : pages) {
    EXPECT_EQ(test::read_text_file(folder / name), page)
        << name << " is out of date: run build/rules/syncsniff-docs rules/checks docs/rules";
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    EXPECT_TRUE(pages.count(entry.path().filename().string())) << entry.path() << " belongs to no rule";
  }
}

TEST(RuleDocs, APageHoldsWhatTheRuleSays) {
  Rule rule;
  rule.id = "a-rule";
  rule.group = "waiting";
  rule.summary = "It waits.";
  rule.never = {"the last one"};
  rule.bad = "wait();";
  rule.good = "go();\n";
  rule.thresholds = {{"min_wait_us", 2.5}};
  const std::string page = render_rule_page(rule);
  for (const char* part : {"# a-rule\n", "It waits.", "* The last one.\n", "```cpp\nwait();\n```\n",
                           "```cpp\ngo();\n```\n", "* `min_wait_us`: 2.5, microseconds per ", "allow(a-rule)"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
}

}  // namespace
}  // namespace syncsniff
