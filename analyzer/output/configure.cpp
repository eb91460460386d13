#include "analyzer/output/configure.h"

#include <filesystem>

#include "rules/api_facts.h"

namespace syncsniff::output {
namespace {

constexpr const char* kByOption = "command line";

std::map<std::string, Rule> table_rules() { return load_rules(data_directory() + "/rules/checks"); }

// --level also limits the rules that are named.
void limit_to_level(Config& config, const std::map<std::string, Rule>& rules) {
  if (config.rules.value.empty()) return;
  for (const auto& [id, rule] : rules)
    if (rule.level > config.level.value) config.rules.value.push_back("-" + id);
}

std::string absolute(const std::string& path) {
  return path.empty() ? path : std::filesystem::absolute(path).lexically_normal().string();
}

// Uses the option's value if it was given, else the file's.
template <typename Value>
void settle(const Options& options, const char* name, Setting<Value>& setting, Value& option) {
  if (options.given.count(name) != 0)
    setting.set(option, kByOption);
  else if (!setting.is_default())
    option = setting.value;
}

std::vector<PathGlob> globs_of(const std::vector<std::string>& patterns) {
  std::vector<PathGlob> globs;
  for (const std::string& pattern : patterns) globs.emplace_back(pattern);
  return globs;
}

}  // namespace

Config configure(Options& options) {
  const std::map<std::string, Rule> rules = table_rules();
  Config config = load_config({options.config_file, options.no_config}, rules);
  AnalysisOptions& analysis = options.analysis;
  settle(options, "--level", config.level, analysis.max_level);
  settle(options, "--rules", config.rules, analysis.rules);
  if (options.given.count("--level") != 0) limit_to_level(config, rules);
  analysis.rules = config.rules.value;
  settle(options, "--min-severity", config.min_severity, options.min_severity);
  settle(options, "--fail-level", config.fail_level, options.fail_level);
  settle(options, "--words", config.words, analysis.words);
  settle(options, "--build-path", config.build_path, analysis.database);
  if (options.command == Command::kFix) config.baseline = {};  // `fix` also fixes old findings
  settle(options, "--baseline", config.baseline, options.baseline);
  require_files(config);
  for (std::string& file : config.words.value) file = absolute(file);
  config.build_path.value = absolute(config.build_path.value);
  config.baseline.value = absolute(config.baseline.value);

  analysis.api_facts = config.api_facts.value;
  analysis.thresholds = threshold_values(config);
  std::error_code error;
  analysis.reported_files.folder = std::filesystem::weakly_canonical(config.folder, error).string();
  analysis.reported_files.only = globs_of(config.only_files.value);
  analysis.reported_files.exclude = globs_of(config.exclude_files.value);
  return config;
}

std::string config_text_of(const Config& config) { return config_text(config, table_rules()); }

}  // namespace syncsniff::output
