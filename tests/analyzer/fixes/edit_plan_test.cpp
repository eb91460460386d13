#include "analyzer/fixes/edit_plan.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace syncsniff::fixes {
namespace {

Finding with_edits(std::vector<Edit> edits, FixTier tier = FixTier::kSafe) {
  Finding finding;
  finding.fix = {tier, "do it", std::move(edits)};
  return finding;
}

std::vector<std::string> shown(const EditPlan& plan) {
  std::vector<std::string> edits;
  for (const auto& [path, file] : plan.files)
    for (const Edit& edit : file.edits)
      edits.push_back(file.shown + "@" + std::to_string(edit.offset) + "+" + std::to_string(edit.length));
  return edits;
}

TEST(EditPlan, SortsEditsOfAFile) {
  FindingsDocument document;
  document.findings = {with_edits({{"a.cu", 50, 5, ""}}), with_edits({{"a.cu", 10, 5, ""}, {"b.cu", 1, 1, ""}})};
  EditPlan plan = plan_edits(document);
  EXPECT_EQ(shown(plan), (std::vector<std::string>{"a.cu@10+5", "a.cu@50+5", "b.cu@1+1"}));
  EXPECT_EQ(plan.fixed.size(), 2u);
  EXPECT_EQ(edit_count(plan), 3u);
}

TEST(EditPlan, KeepsTheFirstOfTwoThatOverlap) {
  FindingsDocument document;
  document.findings = {with_edits({{"a.cu", 10, 10, ""}}), with_edits({{"b.cu", 0, 1, ""}, {"a.cu", 15, 10, ""}}),
                       with_edits({{"a.cu", 20, 5, ""}})};
  EditPlan plan = plan_edits(document);
  EXPECT_EQ(shown(plan), (std::vector<std::string>{"a.cu@10+10", "a.cu@20+5"}));  // nothing of the second, b.cu either
  ASSERT_EQ(plan.clashing.size(), 1u);
  EXPECT_EQ(plan.clashing[0], &document.findings[1]);
}

TEST(EditPlan, EqualEditsAreOne) {
  FindingsDocument document;
  document.findings = {with_edits({{"a.cu", 10, 0, "#include <x>\n"}}),
                       with_edits({{"./a.cu", 10, 0, "#include <x>\n"}})};
  EditPlan plan = plan_edits(document);
  EXPECT_EQ(shown(plan), std::vector<std::string>{"a.cu@10+0"});
  EXPECT_EQ(plan.fixed.size(), 2u);
}

// One place, told for two calls: one edit, and none where one of the callers is allowed what it does.
TEST(EditPlan, AnEditConcernsAllCallersOfItsPlace) {
  FindingsDocument document;
  document.findings = {with_edits({{"a.cu", 10, 5, ""}}), with_edits({{"a.cu", 10, 5, ""}})};
  for (unsigned i = 0; i < 2; ++i) {
    Finding& finding = document.findings[i];
    finding.location = {"a.cu", 3, 1, 3, 5};
    finding.hot_call = {"main.cu", 10 + i, 1, 10 + i, 5};
    finding.calls = {finding.hot_call};
  }
  EXPECT_EQ(plan_edits(document).fixed.size(), 1u);
  document.findings[1].allowed = true;
  const EditPlan plan = plan_edits(document);
  EXPECT_TRUE(plan.files.empty() && plan.fixed.empty() && plan.by_hand.empty());
}

TEST(EditPlan, TakesSafeEditsOnly) {
  FindingsDocument document;
  document.findings = {with_edits({{"a.cu", 1, 1, ""}}, FixTier::kProved),
                       with_edits({{"a.cu", 3, 1, ""}}, FixTier::kSuggested), with_edits({}),
                       with_edits({{"a.cu", 9, 1, ""}})};
  document.findings[3].allowed = true;
  EditPlan plan = plan_edits(document);
  EXPECT_TRUE(plan.files.empty() && plan.fixed.empty() && plan.clashing.empty());
  EXPECT_EQ(plan.by_hand.size(), 3u);  // the allowed one is nobody's work
}

// As the path was given, as the build gave it, and as it really is.
TEST(EditPlan, LeavesAloneWhatAnyPathPutsBelowDeps) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / ("edit_plan." + std::to_string(getpid()));
  fs::create_directories(folder / "build/_deps/lib");
  fs::create_directories(folder / "store/lib");
  fs::create_directory_symlink(folder / "store", folder / "_deps");
  fs::create_directory_symlink(folder / "build/_deps/lib", folder / "linked");
  FindingsDocument document;
  for (const char* file : {"_deps/lib/a.cu", "linked/a.cu", "store/lib/b.cu", "own/_deps/../a.cu"})
    document.findings.push_back(with_edits({{(folder / file).string(), 1, 1, ""}}));
  document.fetched = {(folder / "store/lib/b.cu").string()};
  const EditPlan plan = plan_edits(document);
  EXPECT_EQ(plan.fetched.size(), 3u);
  EXPECT_EQ(plan.fixed, std::vector<const Finding*>{&document.findings[3]});
  fs::remove_all(folder);
}

TEST(EditPlan, OtherFindingsAboutDeletedCodeGoWithIt) {
  FindingsDocument document;
  document.findings = {with_edits({}), with_edits({{"a.cu", 1, 1, ""}}), with_edits({})};
  for (Finding& finding : document.findings) finding.location = {"a.cu", 7, 3, 7, 9};
  document.findings[2].location.column = 4;
  EditPlan plan = plan_edits(document);
  EXPECT_EQ(plan.by_hand, std::vector<const Finding*>{&document.findings[2]});
  document.findings[1].fix.edits[0].replacement = "other();";
  EXPECT_EQ(plan_edits(document).by_hand.size(), 2u);
}

}  // namespace
}  // namespace syncsniff::fixes
