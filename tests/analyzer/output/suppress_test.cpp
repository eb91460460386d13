#include "analyzer/output/suppress.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace syncsniff::output {
namespace {

const std::vector<std::string> kRules{"redundant-sync", "scalar-readback", "sync-in-loop"};

struct Judged {
  bool allowed;
  std::string reason;
  std::vector<std::string> faults;  // "line:column: message"
};

// A finding of sync-in-loop at the text "wait(" of the source, to the `;` behind it.
Judged judge(const std::string& source, const std::string& at = "wait(") {
  std::string folder = testing::TempDir() + "/suppress." + std::to_string(::getpid());
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/a.cu", std::ios::binary) << source;
  SourceCache sources(folder);
  SourceText text(source);
  size_t begin = source.find(at), end = source.find(';', begin) + 1;
  auto column = [&](size_t offset) {
    return static_cast<unsigned>(offset - text.line_start(text.line_at(offset))) + 1;
  };
  FindingsDocument document;
  Finding finding;
  finding.rule = "sync-in-loop";
  finding.location = {"a.cu", text.line_at(begin), column(begin), text.line_at(end - 1), column(end)};
  document.findings.push_back(finding);
  Judged judged{};
  for (const CommentFault& fault : apply_suppressions(document, sources, kRules, {}).faults)
    judged.faults.push_back(std::to_string(fault.location.line) + ":" + std::to_string(fault.location.column) + ": " +
                            fault.message);
  judged.allowed = document.findings[0].allowed;
  judged.reason = document.findings[0].allowed_because;
  std::filesystem::remove_all(folder);
  return judged;
}

struct SpellingCase {
  const char* name;
  const char* source;
  bool allowed;
  const char* reason = "";
  std::vector<std::string> faults = {};
};

void PrintTo(const SpellingCase& c, std::ostream* out) { *out << c.name; }

class Suppress : public testing::TestWithParam<SpellingCase> {};

TEST_P(Suppress, Decides) {
  const SpellingCase& c = GetParam();
  Judged judged = judge(c.source);
  EXPECT_EQ(judged.allowed, c.allowed);
  EXPECT_EQ(judged.reason, c.reason);
  EXPECT_EQ(judged.faults, c.faults);
}

INSTANTIATE_TEST_SUITE_P(
    Nolint, Suppress,
    testing::Values(
        SpellingCase{"None", "wait();\n", false}, SpellingCase{"Bare", "wait();  // NOLINT\n", true, "NOLINT"},
        SpellingCase{"BareReason", "wait();  // NOLINT: the host needs it\n", true, "the host needs it"},
        SpellingCase{"Ours", "wait();  // NOLINT(syncsniff-sync-in-loop)\n", true, "NOLINT"},
        SpellingCase{"OtherRule", "wait();  // NOLINT(syncsniff-redundant-sync)\n", false},
        SpellingCase{"OtherTool", "wait();  // NOLINT(bugprone-foo)\n", false},
        SpellingCase{"List", "wait();  // NOLINT(bugprone-foo, syncsniff-sync-in-loop)\n", true, "NOLINT"},
        SpellingCase{"Glob", "wait();  // NOLINT(syncsniff-*)\n", true, "NOLINT"},
        SpellingCase{"GlobMiddle", "wait();  // NOLINT(*-in-loop)\n", true, "NOLINT"},
        SpellingCase{"GlobAll", "wait();  // NOLINT(*)\n", true, "NOLINT"},
        SpellingCase{"NegativeGlob", "wait();  // NOLINT(-syncsniff-sync-in-loop)\n", false},
        SpellingCase{"EmptyList", "wait();  // NOLINT()\n", false},
        SpellingCase{"SpaceMeansBare", "wait();  // NOLINT (bugprone-foo)\n", true, "(bugprone-foo)"},
        SpellingCase{"OpenListMeansBare", "wait();  // NOLINT(bugprone-foo\n", true, "(bugprone-foo"},
        SpellingCase{"OtherWord", "wait();  // NOLINTFOO\n", false},
        SpellingCase{"BlockComment", "wait(); /* NOLINT */\n", true, "NOLINT"},
        SpellingCase{"InString", "wait(\"// NOLINT\");\n", false},
        SpellingCase{"LineAbove", "// NOLINT\nwait();\n", false},
        SpellingCase{"NextLine", "// NOLINTNEXTLINE\nwait();\n", true, "NOLINT"},
        SpellingCase{"NextLineNamed", "// NOLINTNEXTLINE(syncsniff-sync-in-loop): needed\nwait();\n", true, "needed"},
        SpellingCase{"NextLineOther", "// NOLINTNEXTLINE(foo)\nwait();\n", false},
        SpellingCase{"NextLineNotItsOwn", "wait();  // NOLINTNEXTLINE\n", false},
        SpellingCase{"NextLineTwoBelow", "// NOLINTNEXTLINE\n\nwait();\n", false},
        SpellingCase{"Multiline", "wait(a,\n     b);  // NOLINT\n", true, "NOLINT"},
        SpellingCase{"MultilineInner", "wait(a,  // NOLINT\n     b);\n", true, "NOLINT"},
        SpellingCase{"Block", "// NOLINTBEGIN\nwait();\n// NOLINTEND\n", true, "NOLINT"},
        SpellingCase{"BlockNamed", "// NOLINTBEGIN(syncsniff-*)\nwait();\n// NOLINTEND(syncsniff-*)\n", true, "NOLINT"},
        SpellingCase{"BlockOther", "// NOLINTBEGIN(foo)\nwait();\n// NOLINTEND(foo)\n", false},
        SpellingCase{"BlockNested",
                     "// NOLINTBEGIN\n// NOLINTBEGIN(foo)\nx;\n// NOLINTEND(foo)\nwait();\n// NOLINTEND\n", true,
                     "NOLINT"},
        SpellingCase{"BlockEndedBefore", "// NOLINTBEGIN\n// NOLINTEND\nwait();\n", false},
        SpellingCase{"BlockUnclosed",
                     "// NOLINTBEGIN(syncsniff-*)\nwait();\n",
                     false,
                     "",
                     {"1:4: NOLINTBEGIN without a NOLINTEND that names the same checks"}},
        SpellingCase{"BlockMispaired",
                     "// NOLINTBEGIN(syncsniff-*)\nwait();\n// NOLINTEND\n",
                     false,
                     "",
                     {"1:4: NOLINTBEGIN without a NOLINTEND that names the same checks"}},
        SpellingCase{"BlockUnopened",
                     "wait();\n// NOLINTEND(syncsniff-*)\n",
                     false,
                     "",
                     {"2:4: NOLINTEND without a NOLINTBEGIN that names the same checks"}},
        SpellingCase{
            "NoPrefix",
            "wait();  // NOLINT(sync-in-loop)\n",
            false,
            "",
            {"1:13: NOLINT(sync-in-loop) silences no finding of syncsniff; write NOLINT(syncsniff-sync-in-loop)"}},
        SpellingCase{"UnknownRule",
                     "wait();  // NOLINT(syncsniff-sync-in-lop)\n",
                     false,
                     "",
                     {"1:13: unknown rule 'sync-in-lop' in NOLINT(); did you mean 'sync-in-loop'?"}}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Allow, Suppress,
    testing::Values(
        SpellingCase{"SameLine", "wait();  // syncsniff: allow(sync-in-loop) the host needs it\n", true,
                     "the host needs it"},
        SpellingCase{"NoReason", "wait();  // syncsniff: allow(sync-in-loop)\n", true},
        SpellingCase{"ColonReason", "wait();  // syncsniff: allow(sync-in-loop): why not\n", true, "why not"},
        SpellingCase{"Tight", "wait();  //syncsniff:allow(sync-in-loop)x\n", true, "x"},
        SpellingCase{"BlockComment", "wait();  /* syncsniff: allow(sync-in-loop) because */ next();\n", true,
                     "because"},
        SpellingCase{"Several", "wait();  // syncsniff: allow(redundant-sync, sync-in-loop) both\n", true, "both"},
        SpellingCase{"Other", "wait();  // syncsniff: allow(redundant-sync) no\n", false},
        SpellingCase{"Above", "// syncsniff: allow(sync-in-loop) up here\nwait();\n", true, "up here"},
        SpellingCase{"AboveFar", "// syncsniff: allow(sync-in-loop) top\n// and more\n/* words */\n  wait();\n", true,
                     "top"},
        SpellingCase{"AboveGap", "// syncsniff: allow(sync-in-loop) top\n\nwait();\n", false},
        SpellingCase{"AboveCode", "// syncsniff: allow(sync-in-loop) top\nx();\nwait();\n", false},
        SpellingCase{"AboveTrailing", "x();  // syncsniff: allow(sync-in-loop) for x\nwait();\n", false},
        SpellingCase{"Below", "wait();\n// syncsniff: allow(sync-in-loop) too late\n", false},
        SpellingCase{"Multiline", "wait(a,\n     b);  // syncsniff: allow(sync-in-loop) end\n", true, "end"},
        SpellingCase{"InString", "wait(\"// syncsniff: allow(sync-in-loop)\");\n", false},
        SpellingCase{"Glob", "wait();  // syncsniff: allow(*)\n", false, "", {"1:13: unknown rule '*' in allow()"}},
        SpellingCase{"Unknown",
                     "wait();  // syncsniff: allow(sync-in-lop) x\n",
                     false,
                     "",
                     {"1:13: unknown rule 'sync-in-lop' in allow(); did you mean 'sync-in-loop'?"}},
        SpellingCase{"NoRule",
                     "wait();  // syncsniff: allow needed\n",
                     false,
                     "",
                     {"1:13: allow names no rule; write `syncsniff: allow(<rule id>) reason`"}},
        SpellingCase{"Prose", "wait();  // see syncsniff: allowed things\n", false},
        SpellingCase{"OtherWord", "wait();  // notsyncsniff: allow(sync-in-loop)\n", false}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(SuppressLoop, OnlyTheLoopsFirstLineSpeaksForIt) {
  EXPECT_FALSE(judge("for (;;) {\n  f();  // NOLINT\n}\n", "for").allowed);
  EXPECT_TRUE(judge("for (;;) {  // NOLINT\n  f();\n}\n", "for").allowed);
  EXPECT_TRUE(judge("while(x) {  // NOLINT\n  f();\n}\n", "while").allowed);
  EXPECT_TRUE(judge("forward(a,\n  b);  // NOLINT\n", "forward").allowed);
}

TEST(SuppressUnits, FaultsAreFoundInUnitsWithoutFindings) {
  std::string folder = testing::TempDir() + "/suppress_units." + std::to_string(::getpid());
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/u.cu") << "x();\ny();  // syncsniff: allow(nonsense)\n";
  SourceCache sources(folder);
  FindingsDocument document;
  document.units = {{"u.cu", "analysed", ""}, {"gone.cu", "failed", ""}};
  auto faults = apply_suppressions(document, sources, kRules, {"u.cu", "gone.cu"}).faults;
  ASSERT_EQ(faults.size(), 1u);
  EXPECT_EQ(faults[0].location.file, "u.cu");
  EXPECT_EQ(faults[0].location.line, 2u);
  EXPECT_EQ(faults[0].message, "unknown rule 'nonsense' in allow()");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace syncsniff::output
