// Which comments are called unused, and which are not because the run cannot know.
#include "analyzer/output/unused_allows.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace syncsniff::output {
namespace {

const std::vector<std::string> kKnown{"redundant-sync", "scalar-readback", "sync-in-loop"};
const std::set<std::string> kAll{kKnown.begin(), kKnown.end()};

class UnusedAllows : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/syncsniff-allows-XXXXXX";
    folder_ = mkdtemp(name);
    back_ = std::filesystem::current_path();
    std::filesystem::current_path(folder_);
  }
  void TearDown() override {
    std::filesystem::current_path(back_);
    std::filesystem::remove_all(folder_);
  }

  void unit(const std::string& name, const std::string& text, const std::string& status = "analysed") {
    std::ofstream(name) << text;
    document_.units.push_back({name, status, ""});
  }
  void finding(unsigned line, const std::string& rule = "sync-in-loop", const std::string& file = "a.cu") {
    Finding one;
    one.rule = rule;
    one.location = {file, line, 1, line, 5};
    document_.findings.push_back(one);
  }
  // "file:line: message", a `?` before those that are not certain.
  std::vector<std::string> unused(const std::set<std::string>& rules = kAll, std::vector<std::string> files = {}) {
    SourceCache sources;
    std::vector<std::string> commented;
    for (const UnitStatus& unit : document_.units) commented.push_back(unit.file);
    commented.insert(commented.end(), files.begin(), files.end());
    const Suppressions found = apply_suppressions(document_, sources, kKnown, commented);
    std::vector<std::string> told;
    for (const UnusedAllow& one : unused_allows(found.comments, rules, files, document_, sources))
      told.push_back((one.certain ? "" : "?") + one.location.file + ":" + std::to_string(one.location.line) + ": " +
                     one.message);
    return told;
  }

  FindingsDocument document_;
  std::filesystem::path back_;
  std::string folder_;
};

using Told = std::vector<std::string>;

TEST_F(UnusedAllows, AreThoseThatSilenceNothing) {
  unit("a.cu",
       "wait();  // syncsniff: allow(sync-in-loop) used\n"
       "f();     // syncsniff: allow(sync-in-loop) unused\n"
       "wait();  // syncsniff: allow(sync-in-loop, redundant-sync) half\n"
       "g();     // NOLINT(syncsniff-scalar-readback)\n"
       "h();     // NOLINT(syncsniff-*, bugprone-x)\n"
       "// NOLINTBEGIN(syncsniff-sync-in-loop)\n"
       "wait();\n"
       "// NOLINTEND(syncsniff-sync-in-loop)\n"
       "i();     // NOLINT\n"
       "j();     // NOLINT(bugprone-*)\n"
       "k();     // syncsniff: allow(no-such-rule)\n");
  for (unsigned line : {1u, 3u, 7u}) finding(line);
  EXPECT_EQ(unused(), (Told{"a.cu:2: allow(sync-in-loop) silences no finding in this run",
                            "a.cu:3: allow(redundant-sync) silences no finding in this run",
                            "a.cu:4: NOLINT(syncsniff-scalar-readback) silences no finding in this run",
                            "a.cu:5: NOLINT(syncsniff-*) silences no finding in this run"}));
}

TEST_F(UnusedAllows, AllCommentsThatCoverAFindingAreUsed) {
  unit("a.cu",
       "// syncsniff: allow(sync-in-loop) above\n"
       "wait();  // NOLINT(syncsniff-sync-in-loop)\n"
       "call();  // syncsniff: allow(sync-in-loop) at the call\n");
  finding(2);
  document_.findings[0].calls = {{"a.cu", 3, 1, 3, 5}};
  EXPECT_EQ(unused(), Told{});
}

TEST_F(UnusedAllows, NotOfRulesThatWereOff) {
  unit("a.cu", "f();  // syncsniff: allow(sync-in-loop)\ng();  // NOLINT(syncsniff-*)\n");
  EXPECT_EQ(unused({"redundant-sync", "scalar-readback"}), Told{});
}

TEST_F(UnusedAllows, NotInFilesThatWereReadInPart) {
  const std::string text = "f();  // syncsniff: allow(sync-in-loop)\n";
  unit("a.cu", text);
  unit("part.cu", text, "partial");
  unit("none.cu", text, "failed");
  EXPECT_EQ(unused(),
            Told{"?a.cu:1: allow(sync-in-loop) silences no finding in this run; 2 units were not read completely and "
                 "may need it"});
}

TEST_F(UnusedAllows, NotWhereARuleWasLeftOut) {
  unit("a.cu", "f();  // syncsniff: allow(sync-in-loop)\n");
  document_.rules_left_out = {"sync-in-loop was not checked: it took over 60 s"};
  EXPECT_EQ(unused(), Told{});
}

TEST_F(UnusedAllows, NotBetweenIfAndEndif) {
  unit("a.cu",
       "#ifdef DEBUG\nwait();  // syncsniff: allow(sync-in-loop)\n#endif\nf();  // syncsniff: allow(sync-in-loop)\n");
  EXPECT_EQ(unused(), Told{"a.cu:4: allow(sync-in-loop) silences no finding in this run"});
}

TEST_F(UnusedAllows, OnlyInFilesThatWereAskedFor) {
  const std::string text = "f();  // syncsniff: allow(sync-in-loop)\n";
  unit("a.cu", text);
  unit("b.cu", text);
  std::ofstream("c.h") << text;
  EXPECT_EQ(unused(kAll, {"./b.cu", "c.h"}), (Told{"b.cu:1: allow(sync-in-loop) silences no finding in this run",
                                                   "c.h:1: allow(sync-in-loop) silences no finding in this run"}));
}

TEST_F(UnusedAllows, OfFilesThatChanged) {
  std::vector<UnusedAllow> told{{{"a.cu", 1, 1, 1, 1}, "", true}, {{"b.cu", 1, 1, 1, 1}, "", true}};
  keep_in_files(told, {folder_ + "/b.cu"});
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].location.file, "b.cu");
}

}  // namespace
}  // namespace syncsniff::output
