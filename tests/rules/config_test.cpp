// The configuration file: what is read, and each fault with its place.
#include "rules/config/config.h"

#include <gtest/gtest.h>

#include <chrono>

#include "tests/rules/scratch.h"

namespace syncsniff {
namespace {

namespace fs = std::filesystem;
using test::error_of;
using test::Scratch;
using Texts = std::vector<std::string>;

const std::map<std::string, Rule>& rules() {
  static const auto kRules = load_rules(std::string(SYNCSNIFF_SOURCE_DIR) + "/rules/checks");
  return kRules;
}

class ConfigFile : public testing::Test {
 protected:
  Config read(const std::string& text) { return read_config(scratch_.write(".syncsniff.yaml", text), rules()); }
  std::string fault(const std::string& text) {
    const std::string file = scratch_.write(".syncsniff.yaml", text);
    return error_of(scratch_.path(), [&] { read_config(file, rules()); });
  }
  Scratch scratch_;
};

TEST_F(ConfigFile, EveryMistakeIsToldAtOnce) {
  const std::string told = fault(
      "rules: [-*, no-such-rule, nor-this]\n"
      "level: 7\n"
      "fail-levle: high\n"
      "thresholds: {sync-in-loop: {min_bytes: 1}, pageable-copy-in-loop: {min_bytes: 0}}\n"
      "exclude-files: ['[']\n"
      "baselin: x\n");
  EXPECT_EQ(std::count(told.begin(), told.end(), '\n'), 7) << told;
  for (const char* what :
       {":1:13: key 'rules': unknown rule 'no-such-rule'", ":1:27: key 'rules': unknown rule 'nor-this'",
        ":2:8: key 'level'", ":3:1: key 'fail-levle'", ":4:29: key 'min_bytes'", ":4:79: key 'min_bytes'",
        ":5:17: key 'exclude-files'", ":6:1: key 'baselin'"})
    EXPECT_NE(told.find(what), std::string::npos) << what << "\n" << told;
}

TEST_F(ConfigFile, ReadsEveryKey) {
  const Config config = read(
      "rules: [-*, 'sync-*', launch-bound-step]\n"
      "level: 0\n"
      "min-severity: medium\n"
      "fail-level: never\n"
      "thresholds:\n"
      "  pageable-copy-in-loop: {min_bytes: 4096}\n"
      "only-files: [src]\n"
      "exclude-files: [third_party, '*_test.cu']\n"
      "api-facts: tools/ours.yaml\n"
      "words: [words.yaml, /etc/words.yaml]\n"
      "build-path: out/release\n"
      "baseline: ../known.json\n");
  const fs::path here = scratch_.path();
  EXPECT_EQ(config.folder, here);
  EXPECT_EQ(config.rules.value, (Texts{"-*", "sync-*", "launch-bound-step"}));
  EXPECT_EQ(config.rules.origin, (here / ".syncsniff.yaml:1:8").string());
  EXPECT_EQ(config.level.value, 0);
  EXPECT_EQ(config.min_severity.value, Severity::kMedium);
  EXPECT_EQ(config.fail_level.value, std::nullopt);
  EXPECT_EQ(threshold_values(config).at("pageable-copy-in-loop").at("min_bytes"), 4096);
  EXPECT_EQ(config.only_files.value, Texts{"src"});
  EXPECT_EQ(config.exclude_files.value, (Texts{"third_party", "*_test.cu"}));
  EXPECT_EQ(config.api_facts.value, Texts{here / "tools/ours.yaml"});
  EXPECT_EQ(config.words.value, (Texts{here / "words.yaml", "/etc/words.yaml"}));
  EXPECT_EQ(config.build_path.value, here / "out/release");
  EXPECT_EQ(config.baseline.value, here.parent_path() / "known.json");
}

TEST_F(ConfigFile, SaysNothingAndAllIsAsWithoutIt) {
  for (const char* text : {"", "\n\n", "# only a comment\n  # another\n", "{}\n"}) {
    const Config config = read(text);
    EXPECT_TRUE(config.rules.is_default() && config.level.is_default() && config.thresholds.empty()) << text;
    EXPECT_EQ(config.level.value, 1);
    EXPECT_EQ(config.fail_level.value, Severity::kLow);
  }
}

TEST_F(ConfigFile, RulesMayBeOneText) {
  EXPECT_EQ(read("rules: '-*, sync-in-loop,cold-timing'\n").rules.value, (Texts{"-*", "sync-in-loop", "cold-timing"}));
}

TEST_F(ConfigFile, FaultsAreToldWithFileLineColumnKeyAndTheNearestName) {
  const std::pair<const char*, const char*> kFaults[] = {
      {"level: 1\nfail-levle: low\n",
       ".syncsniff.yaml:2:1: key 'fail-levle': unknown key in the configuration; did you "
       "mean 'fail-level'? known: rules, level, min-severity, fail-level, thresholds, "
       "only-files, exclude-files, api-facts, words, build-path, baseline"},
      {"level: high\n", ".syncsniff.yaml:1:8: key 'level': 'high' is not a whole number"},
      {"level: 3\n", ".syncsniff.yaml:1:8: key 'level': must be 0, 1 or 2"},
      {"level: [1]\n", ".syncsniff.yaml:1:8: key 'level': must be a scalar, is a list"},
      {"min-severity: none\n", ".syncsniff.yaml:1:15: key 'min-severity': 'none' is none of: info, low, medium, high"},
      {"fail-level:\n", ".syncsniff.yaml:1:1: key 'fail-level': must be a scalar, is nothing"},
      {"rules: {a: b}\n", ".syncsniff.yaml:1:8: key 'rules': must be a text or a list of texts"},
      {"rules: [-*, sync-in-lop]\n",
       ".syncsniff.yaml:1:13: key 'rules': unknown rule 'sync-in-lop'; did you mean 'sync-in-loop'?"},
      {"rules: [-]\n", ".syncsniff.yaml:1:9: key 'rules': '-' names no rule"},
      {"thresholds: {pageable-copy-in-lop: {min_bytes: 1}}\n",
       ".syncsniff.yaml:1:14: key 'pageable-copy-in-lop': unknown rule 'pageable-copy-in-lop'; did you mean "
       "'pageable-copy-in-loop'?"},
      {"thresholds:\n  pageable-copy-in-loop:\n    max_bytes: 1\n",
       ".syncsniff.yaml:3:5: key 'max_bytes': unknown threshold of pageable-copy-in-loop; did you mean 'min_bytes'? "
       "known: min_bytes"},
      {"thresholds: {sync-in-loop: {min_wait_us: 5}}\n",
       ".syncsniff.yaml:1:29: key 'min_wait_us': belongs to `syncsniff run`, which reads no configuration; `check` "
       "does "
       "not use it"},
      {"thresholds: {sync-in-loop: {bytes: 5}}\n",
       ".syncsniff.yaml:1:29: key 'bytes': unknown threshold; sync-in-loop has none that `check` reads"},
      {"thresholds: {pageable-copy-in-loop: 5}\n",
       ".syncsniff.yaml:1:37: key 'pageable-copy-in-loop': must be a map, is a scalar"},
      {"only-files: ['']\n", ".syncsniff.yaml:1:14: key 'only-files': is empty"},
      {"words: [[a]]\n", ".syncsniff.yaml:1:9: key 'words': must be a scalar, is a list"},
      {"level: 1\nlevel: 2\n", ".syncsniff.yaml:2:1: key 'level': given twice, first in line 1"},
      {"level: 1\n---\nlevel: 2\n", ".syncsniff.yaml:1: holds more than one document (---)"},
      {"- level\n", ".syncsniff.yaml:1:1: key 'the configuration': must be a map, is a list"},
      {"level: &a 1\nmin-severity: *a\n", ".syncsniff.yaml:2:15: an alias (*name); write the value out"},
  };
  for (const auto& [text, message] : kFaults) EXPECT_EQ(fault(text), message) << text;
}

TEST_F(ConfigFile, AGlobThatMatchesNothingIsAFault) {
  EXPECT_TRUE(
      fault("rules: ['synch-*']\n")
          .starts_with(".syncsniff.yaml:1:9: key 'rules': 'synch-*' matches no rule; there are alloc-in-loop, "));
  EXPECT_TRUE(
      fault("exclude-files: ['a[b']\n").starts_with(".syncsniff.yaml:1:17: key 'exclude-files': 'a[b': its [ "));
  EXPECT_TRUE(fault("exclude-files: ../b\n").starts_with(".syncsniff.yaml:1:16: key 'exclude-files': '../b': "));
}

TEST_F(ConfigFile, ThresholdsAreCounts) {
  for (const char* number : {"0", "-1", "0.5", "1e16", "nan", "inf", "many", "''"})
    EXPECT_TRUE(fault("thresholds: {tensor-cores-off: {size_multiple: " + std::string(number) + "}}\n")
                    .starts_with(".syncsniff.yaml:1:48: key 'size_multiple': "))
        << number;
}

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST_F(ConfigFile, HostileTextIsRefusedSoonAndInFewShortLines) {
  // A second each on a quiet machine, ten in a sanitized build; what grows with the square of the text takes minutes.
  constexpr double kSoon = 60;
  std::string keys, bomb = "a: &a [x, x]\n", items = "rules: [";
  for (int i = 0; keys.size() < 1'000'000; ++i) keys += "k" + std::to_string(i) + ": 1\n";
  for (char c = 'b'; c <= 'z'; ++c)
    bomb += std::string(1, c) + ": &" + c + " [*" + static_cast<char>(c - 1) + ", *" + static_cast<char>(c - 1) + "]\n";
  size_t count = 0;
  for (; items.size() < 1'000'000; ++count) items += "sync-*,";
  const std::string texts[] = {std::string(900'000, '['),
                               std::string(900'000, '{'),
                               "a: " + std::string(900'000, '[') + std::string(100'000, ']'),
                               std::string(1'000'000, 'a') + ": 1\n",
                               "level: " + std::string(1'000'000, '1') + "\n",
                               std::string(1'000'000, '-') + "\n",
                               "level: \"" + std::string(500'000, '\x01') + "\n",
                               keys,
                               bomb,
                               std::string((1 << 20) + 1, '#'),
                               std::string("level: 1\0x", 10)};
  for (const std::string& text : texts) {
    std::string message;
    EXPECT_LT(seconds_of([&] { message = fault(text); }), kSoon) << text.substr(0, 20);
    EXPECT_NE(message, "nothing was thrown") << text.substr(0, 20);
    const auto lines = static_cast<size_t>(std::count(message.begin(), message.end(), '\n')) + 1;
    EXPECT_LE(lines, 21u) << text.substr(0, 20);
    EXPECT_LT(message.size(), 1500u * lines) << text.substr(0, 20);
  }
  EXPECT_LT(seconds_of([&] { EXPECT_EQ(read(items + "]\n").rules.value.size(), count); }), kSoon);
}

TEST_F(ConfigFile, IsFoundUpwardUpToTheRepositorysTop) {
  const fs::path top = scratch_.path();
  scratch_.write("repo/src/deep/file.cu", "");
  EXPECT_EQ(find_config((top / "repo/src/deep").string()).find(top.string()), std::string::npos);
  scratch_.write(".syncsniff.yaml", "");
  EXPECT_EQ(find_config((top / "repo/src/deep").string()), top / ".syncsniff.yaml");
  scratch_.write("repo/.git/HEAD", "");
  EXPECT_EQ(find_config((top / "repo/src/deep").string()), "") << "above the repository's top";
  scratch_.write("repo/.syncsniff.yaml", "");
  EXPECT_EQ(find_config((top / "repo/src/deep").string()), top / "repo/.syncsniff.yaml");
  EXPECT_EQ(find_config((top / "repo").string()), top / "repo/.syncsniff.yaml");
  scratch_.write("repo/src/.syncsniff.yaml", "");
  EXPECT_EQ(find_config((top / "repo/src/deep").string()), top / "repo/src/.syncsniff.yaml");
}

TEST_F(ConfigFile, WithAnotherEndingIsNotPassedOver) {
  scratch_.write(".syncsniff.yml", "level: 2\n");
  const std::string message = error_of("", [&] { find_config(scratch_.path()); });
  EXPECT_NE(message.find(".syncsniff.yml: is not read under this name; rename it to .syncsniff.yaml"),
            std::string::npos)
      << message;
  scratch_.write(".syncsniff.yaml", "");
  EXPECT_EQ(find_config(scratch_.path()), fs::path(scratch_.path()) / ".syncsniff.yaml");
}

TEST_F(ConfigFile, MustBeThereWhereItIsNamed) {
  EXPECT_EQ(error_of("", [&] { load_config({"/nowhere/x.yaml"}, rules()); }),
            "/nowhere/x.yaml: no such file; --config takes a configuration file");
  EXPECT_EQ(error_of(scratch_.path(), [&] { load_config({scratch_.path()}, rules()); }).find("nothing"),
            std::string::npos);
  fs::create_symlink("nowhere", fs::path(scratch_.path()) / ".syncsniff.yaml");
  EXPECT_EQ(find_config(scratch_.path()), fs::path(scratch_.path()) / ".syncsniff.yaml");
  EXPECT_TRUE(load_config({"", true}, rules()).file.empty());
}

TEST_F(ConfigFile, FilesThatItNamesMustBeThere) {
  EXPECT_EQ(error_of(scratch_.path(), [&] { require_files(read("words: [w.yaml]\n")); }),
            ".syncsniff.yaml:1:8: key 'words': w.yaml: no such file");
  EXPECT_EQ(error_of(scratch_.path(), [&] { require_files(read("level: 1\napi-facts: a.yaml\n")); }),
            ".syncsniff.yaml:2:12: key 'api-facts': a.yaml: no such file");
  EXPECT_EQ(error_of(scratch_.path(), [&] { require_files(read("build-path: out\n")); }),
            ".syncsniff.yaml:1:13: key 'build-path': out: no such file or folder; it takes a compile_commands.json or "
            "its folder");
  EXPECT_NE(error_of(scratch_.path(), [&] { require_files(read("baseline: b.json\n")); }).find("makes one"),
            std::string::npos);
  Config overridden = read("words: [w.yaml]\n");
  overridden.words.set({}, "command line");
  EXPECT_NO_THROW(require_files(overridden));
}

TEST_F(ConfigFile, TheDumpReadsBack) {
  const char* kTexts[] = {
      "{}",
      "rules: [-*, sync-*]\nlevel: 2\nmin-severity: low\nfail-level: never\nbaseline: \"a \\\"b\\\\ \\x01'.json\"\n"
      "thresholds: {pageable-copy-in-loop: {min_bytes: 1000000000000000}, scalar-readback: {max_bytes: 8}}\n"
      "only-files: ['src dir/*']\nexclude-files: ['[ab]#x', 'h\u00e9']\napi-facts: [a.yaml]\nwords: w.yaml\n"};
  for (const char* text : kTexts) {
    const Config before = read(text);
    const std::string dumped = config_text(before, rules());
    const Config after = read(dumped);
    EXPECT_EQ(after.rules.value, before.rules.value) << dumped;
    EXPECT_EQ(after.level.value, before.level.value);
    EXPECT_EQ(after.min_severity.value, before.min_severity.value);
    EXPECT_EQ(after.fail_level.value, before.fail_level.value);
    EXPECT_EQ(after.only_files.value, before.only_files.value);
    EXPECT_EQ(after.exclude_files.value, before.exclude_files.value);
    EXPECT_EQ(after.api_facts.value, before.api_facts.value);
    EXPECT_EQ(after.words.value, before.words.value);
    EXPECT_EQ(after.build_path.value, before.build_path.value);
    EXPECT_EQ(after.baseline.value, before.baseline.value);
    const auto with = [](const Config& config) { return with_thresholds(rules(), threshold_values(config)); };
    for (const auto& [id, rule] : with(before)) EXPECT_EQ(with(after).at(id).thresholds, rule.thresholds) << id;
  }
}

TEST_F(ConfigFile, TheDumpSaysWhereEachValueComesFrom) {
  const std::string text = config_text(read("level: 2\nthresholds: {scalar-readback: {max_bytes: 8}}\n"), rules());
  EXPECT_NE(text.find("\nlevel: 2 "), std::string::npos);
  const auto line_of = [&](const std::string& begin) {
    const size_t at = text.find("\n" + begin);
    return at == std::string::npos ? "" : text.substr(at + 1, text.find('\n', at + 1) - at - 1);
  };
  EXPECT_TRUE(line_of("level: 2").ends_with("/.syncsniff.yaml:1:8")) << line_of("level: 2");
  EXPECT_TRUE(line_of("    max_bytes: 8").ends_with("/.syncsniff.yaml:2:43")) << line_of("    max_bytes: 8");
  EXPECT_TRUE(line_of("    staged_bytes: 65536").ends_with("# default"));
  EXPECT_TRUE(line_of("fail-level: low").ends_with("# default"));
}

}  // namespace
}  // namespace syncsniff
