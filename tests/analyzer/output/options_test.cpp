#include "analyzer/output/options.h"

#include <gtest/gtest.h>

namespace syncsniff::output {
namespace {

ParsedOptions parse(std::vector<const char*> words) {
  words.insert(words.begin(), "syncsniff-analyzer");
  return parse_options(static_cast<int>(words.size()), words.data());
}

std::string targets(const Options& options) {
  std::string all;
  for (const ReportTarget& target : options.reports)
    all += (all.empty() ? "" : " ") + target.format + (target.file.empty() ? "" : ":" + target.file);
  return all;
}

TEST(Options, Defaults) {
  ParsedOptions parsed = parse({"check"});
  ASSERT_FALSE(parsed.exit_code);
  const Options& options = parsed.options;
  EXPECT_EQ(options.command, Command::kCheck);
  EXPECT_EQ(targets(options), "text");
  EXPECT_EQ(options.analysis.max_level, 1);
  EXPECT_EQ(options.analysis.jobs, 0);
  EXPECT_EQ(options.fail_level, Severity::kLow);
  EXPECT_EQ(options.min_severity, Severity::kInfo);
  EXPECT_EQ(options.colour, ColourChoice::kAuto);
  EXPECT_TRUE(options.analysis.files.empty() && options.analysis.rules.empty() && options.analysis.database.empty());
}

TEST(Options, Everything) {
  ParsedOptions parsed = parse({"check",
                                "-p",
                                "build",
                                "a.cu",
                                "--format=sarif",
                                "-o",
                                "out.sarif",
                                "--rules",
                                "a,b",
                                "b.cu",
                                "--level",
                                "0",
                                "-j",
                                "3",
                                "--verbose",
                                "--fail-level",
                                "high",
                                "--min-severity=medium",
                                "--show-allowed",
                                "--color=never",
                                "--baseline",
                                "old.json",
                                "c.cu"});
  ASSERT_FALSE(parsed.exit_code) << parsed.err;
  const Options& options = parsed.options;
  EXPECT_EQ(options.analysis.database, "build");
  EXPECT_EQ(options.analysis.files, (std::vector<std::string>{"a.cu", "b.cu", "c.cu"}));
  EXPECT_EQ(options.analysis.rules, (std::vector<std::string>{"-*", "a", "b"}));
  EXPECT_EQ(options.analysis.max_level, 0);
  EXPECT_EQ(options.analysis.jobs, 3);
  EXPECT_TRUE(options.analysis.verbose && options.show_allowed);
  EXPECT_EQ(targets(options), "sarif:out.sarif");
  EXPECT_EQ(options.baseline, "old.json");
  EXPECT_EQ(options.fail_level, Severity::kHigh);
  EXPECT_EQ(options.min_severity, Severity::kMedium);
  EXPECT_EQ(options.colour, ColourChoice::kNever);
}

TEST(Options, Fix) {
  ParsedOptions parsed = parse({"fix", "--dry-run", "--quiet", "a.cu"});
  ASSERT_FALSE(parsed.exit_code);
  EXPECT_EQ(parsed.options.command, Command::kFix);
  EXPECT_TRUE(parsed.options.dry_run && parsed.options.quiet);
  EXPECT_EQ(parsed.options.analysis.files, std::vector<std::string>{"a.cu"});
}

TEST(Options, WhoNamesRulesWantsNoOthers) {
  using Globs = std::vector<std::string>;
  EXPECT_EQ(parse({"fix", "--rules", "a", "--rules", "b"}).options.analysis.rules, (Globs{"-*", "a", "b"}));
  EXPECT_EQ(parse({"check", "--rules=-a,sync-*"}).options.analysis.rules, (Globs{"-a", "sync-*"}));
}

TEST(Options, SayWhichOfThemAreGiven) {
  using Names = std::set<std::string>;
  EXPECT_EQ(parse({"check", "-j", "2"}).options.given, Names());
  EXPECT_EQ(parse({"check", "-p", "build", "--level=1", "--fail-level", "low"}).options.given,
            (Names{"--build-path", "--level", "--fail-level"}));
  const ParsedOptions none = parse({"check", "--no-baseline"});
  ASSERT_FALSE(none.exit_code) << none.err;
  EXPECT_EQ(none.options.given, Names{"--baseline"});
  EXPECT_EQ(none.options.baseline, "");
}

TEST(Options, NeverFails) { EXPECT_EQ(parse({"check", "--fail-level=never"}).options.fail_level, std::nullopt); }

TEST(Options, SeveralReports) {
  EXPECT_EQ(targets(parse({"check", "--format=text", "--format=sarif:out.sarif"}).options), "text sarif:out.sarif");
  EXPECT_EQ(targets(parse({"check", "--format", "gitlab:a:b.json", "a.cu"}).options), "gitlab:a:b.json");
  EXPECT_EQ(parse({"check", "--format", "json", "a.cu"}).options.analysis.files, std::vector<std::string>{"a.cu"});
  EXPECT_EQ(targets(parse({"check", "--format=json:j", "--format=sarif", "-o", "s"}).options), "json:j sarif:s");
  EXPECT_EQ(targets(parse({"check", "-o", "all.txt"}).options), "text:all.txt");
  EXPECT_EQ(targets(parse({"fix"}).options), "");
  EXPECT_EQ(targets(parse({"fix", "--format=junit:j.xml"}).options), "junit:j.xml");
  EXPECT_EQ(targets(parse({"fix", "--dry-run", "--format=json:j"}).options), "json:j");
  const std::pair<std::vector<const char*>, const char*> refused[] = {
      {{"check", "--format=gitlub"}, "no format 'gitlub'; did you mean 'github'?"},
      {{"check", "--format=zzzzzzzz"}, "no format 'zzzzzzzz'; there are text, concise, json, "},
      {{"check", "--format=sarif,json"}, "repeat the option, as in --format=sarif --format=FORMAT:FILE"},
      {{"check", "--rules", ""}, "--rules: names no rule; leave the option out"},
      {{"check", "--rules=, ,"}, "--rules: names no rule; leave the option out"},
      {{"fix", "--stagd"}, "'--staged' is an option of `syncsniff check`"},
      {{"check", "--format=sarif:"}, "sarif: names no file; give sarif:FILE"},
      {{"check", "--format=text", "--format=json"}, "text and json would both go to standard output; "},
      {{"check", "--format=text:a", "--format=json:./a"}, "text and json would both go to ./a; "},
      {{"check", "--format=text:a", "-o", "b"}, "-o b: every format names a file of its own"},
      {{"fix", "--dry-run", "--format=json"}, "write the report to a file, as in json:FILE"},
      {{"check", "--fix", "--staged"}, "--fix"},
      {{"check", "--fix", "--why-not=a.cu:1"}, "--fix"},
      {{"check", "--export-fixes=f"}, "--export-fixes"}};
  for (const auto& [words, message] : refused) {
    const ParsedOptions parsed = parse(words);
    EXPECT_EQ(parsed.exit_code, 2) << words.back();
    EXPECT_NE(parsed.err.find(message), std::string::npos) << parsed.err;
  }
}

TEST(Options, TheFirstNameOfTheFormatOptionStillWorks) {
  EXPECT_EQ(targets(parse({"check", "--output-format=json:j"}).options), "json:j");
}

TEST(Options, WhoFailsForUnusedAllowsIsToldOfThem) {
  EXPECT_FALSE(parse({"check"}).options.report_unused_allows);
  EXPECT_FALSE(parse({"check", "--report-unused-allows"}).options.fail_unused_allows);
  EXPECT_TRUE(parse({"check", "--fail-unused-allows"}).options.report_unused_allows);
}

TEST(Options, HelpAndVersion) {
  ParsedOptions help = parse({"check", "--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_NE(help.out.find("--format"), std::string::npos);
  EXPECT_EQ(help.err, "");
  EXPECT_EQ(parse({"--version"}).exit_code, 0);
  EXPECT_EQ(parse({"--version"}).out, "syncsniff " SYNCSNIFF_VERSION "\n");
}

TEST(Options, BadUsageIsOneLine) {
  for (std::vector<const char*> words :
       std::vector<std::vector<const char*>>{{},
                                             {"chek"},
                                             {"check", "--level", "3"},
                                             {"check", "-j", "-1"},
                                             {"check", "--format", "xml"},
                                             {"check", "--nonsense"},
                                             {"fix", "--baseline", "x"},
                                             {"check", "--fail-level", "severe"},
                                             {"check", "--quiet", "--verbose"},
                                             {"check", "--config", "x", "--no-config"},
                                             {"check", "--baseline=x", "--no-baseline"},
                                             {"fix", "--dump-config"},
                                             {"check", "-o"},
                                             {"check", "--dry-run"}}) {
    ParsedOptions parsed = parse(words);
    EXPECT_EQ(parsed.exit_code, 2) << (words.empty() ? "" : words.back());
    EXPECT_EQ(parsed.out, "");
    EXPECT_TRUE(parsed.err.starts_with("syncsniff: error: ")) << parsed.err;
    EXPECT_EQ(parsed.err.find('\n'), parsed.err.size() - 1) << parsed.err;
  }
}

TEST(Options, DiffTakesItsRevisionBehindAnEqualsSignAlone) {
  EXPECT_EQ(parse({"check"}).options.since, "");
  const Options head = parse({"check", "--diff", "a.cu"}).options;
  EXPECT_EQ(head.since, "HEAD");
  EXPECT_EQ(head.analysis.files, std::vector<std::string>{"a.cu"});
  EXPECT_EQ(parse({"check", "--diff=main", "a.cu"}).options.since, "main");
  EXPECT_FALSE(parse({"check", "--diff=main"}).options.staged);
  EXPECT_TRUE(parse({"check", "--staged"}).options.staged);
  EXPECT_EQ(parse({"check", "--", "--diff"}).options.analysis.files, std::vector<std::string>{"--diff"});
  EXPECT_EQ(parse({"check", "--diff", "--staged"}).exit_code, 2);
  EXPECT_EQ(parse({"check", "--staged", "--why-not", "a.cu:1"}).exit_code, 2);
  EXPECT_EQ(parse({"fix", "--staged"}).exit_code, 2);
}

TEST(Options, WhyNotNamesALine) {
  const ParsedOptions parsed = parse({"check", "--why-not", "src/a:b.cu:12"});
  ASSERT_FALSE(parsed.exit_code);
  EXPECT_EQ(parsed.options.analysis.why_not.file, "src/a:b.cu");
  EXPECT_EQ(parsed.options.analysis.why_not.line, 12u);
  EXPECT_EQ(parsed.options.analysis.files, std::vector<std::string>{"src/a:b.cu"});
  for (const char* bad : {"a.cu", "a.cu:", "a.cu:x", "a.cu:-1", "a.cu:12345678901"}) {
    const ParsedOptions refused = parse({"check", "--why-not", bad});
    EXPECT_EQ(refused.exit_code, 2) << bad;
    EXPECT_NE(refused.err.find("FILE:LINE"), std::string::npos) << refused.err;
  }
}

}  // namespace
}  // namespace syncsniff::output
