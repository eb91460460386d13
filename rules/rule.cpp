#include "rules/rule.h"

#include <filesystem>

#include "rules/schema_reader.h"
#include "rules/thresholds.h"

namespace syncsniff {
namespace {

Rule read_rule(const YamlDocument& document) {
  SchemaReader file((YamlView(document)), "the file");
  Rule rule;
  const YamlView id = file.required("id");
  rule.id = read_text(id, "id");
  const std::string stem = std::filesystem::path(document.file()).stem().string();
  if (rule.id != stem) fail_at(id, "id", "'" + rule.id + "' is not the file's name, '" + stem + "'");
  rule.group = read_word(file.required("group"), "group", {"waiting", "copying", "launching", "measuring", "kernels"});
  const YamlView level = file.required("level");
  rule.level = read_int(level, "level");
  if (rule.level < 0 || rule.level > 2) fail_at(level, "level", "must be 0, 1 or 2");
  rule.summary = read_text(file.required("summary"), "summary");
  rule.why = read_text(file.required("why"), "why");
  rule.fix = read_text(file.required("fix"), "fix");
  if (const auto cases = file.optional("fix_for")) {
    expect_map(*cases, "fix_for");
    for (uint32_t i = 0; i < cases->size(); ++i) {
      const std::string key = read_text(cases->key(i), "fix_for");
      rule.fix_for[key] = read_text(cases->value(i), key);
    }
  }
  rule.fix_safety = read_text(file.required("fix_safety"), "fix_safety");
  rule.never = read_text_list(file.required("never"), "never");
  if (const auto beside = file.optional("beside")) rule.beside = read_text_list(*beside, "beside");
  if (const auto thresholds = file.optional("thresholds")) {
    expect_map(*thresholds, "thresholds");
    for (uint32_t i = 0; i < thresholds->size(); ++i) {
      const std::string key = read_text(thresholds->key(i), "thresholds");
      rule.thresholds[key] = read_number(thresholds->value(i), key);
    }
    if (const UnreadThreshold unread = unread_threshold(rule.thresholds); !unread.name.empty())
      fail_at(*thresholds, unread.name, unread.why);
  }
  rule.language = read_word(file.required("language"), "language", {"cuda", "libtorch"});
  rule.bad = read_text(file.required("bad"), "bad");
  rule.good = read_text(file.required("good"), "good");
  file.finish();
  return rule;
}

}  // namespace

std::map<std::string, Rule> with_thresholds(std::map<std::string, Rule> rules, const Thresholds& thresholds) {
  for (const auto& [id, numbers] : thresholds)
    for (const auto& [name, number] : numbers) rules.at(id).thresholds.at(name) = number;
  return rules;
}

std::map<std::string, Rule> load_rules(const std::string& directory) {
  std::map<std::string, Rule> rules;
  for (const YamlDocument& document : load_yaml_folder(directory)) {
    Rule rule = read_rule(document);
    rules.emplace(rule.id, std::move(rule));
  }
  return rules;
}

}  // namespace syncsniff
