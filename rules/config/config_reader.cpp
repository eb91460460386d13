// Reads the configuration file according to its schema.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "rules/config/config.h"
#include "rules/data_error.h"
#include "rules/nearest_name.h"
#include "rules/regular_file.h"
#include "rules/rule_choice.h"
#include "rules/schema_reader.h"
#include "rules/thresholds.h"

namespace syncsniff {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMostBytes = 1 << 20;
constexpr size_t kMostMessageBytes = 1000;
constexpr size_t kMostMistakes = 20;
constexpr double kMostOfThreshold = 1e15;  // doubles are exact up to this number

std::string origin_of(const YamlView& value) {
  return value.file() + ":" + std::to_string(value.line()) + ":" + std::to_string(value.column());
}

// Whether the text has only blank lines and comments: such a file marks a folder without settings.
bool says_nothing(const std::string& text) {
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find('\n', start), text.size());
    const size_t first = text.find_first_not_of(" \t\r", start);
    if (first < end && text[first] != '#') return false;
    start = end + 1;
  }
  return true;
}

// Reads one word, or a list of words.
std::vector<std::pair<std::string, YamlView>> read_words(const YamlView& value, const char* key) {
  std::vector<std::pair<std::string, YamlView>> words;
  if (value.kind() == YamlKind::kScalar) {
    words.emplace_back(read_text(value, key), value);
  } else if (value.kind() == YamlKind::kSequence) {
    for (uint32_t i = 0; i < value.size(); ++i) words.emplace_back(read_text(value.element(i), key), value.element(i));
  } else {
    fail_at(value, key, "must be a text or a list of texts");
  }
  return words;
}

class ConfigReader {
 public:
  ConfigReader(const YamlDocument& document, const std::map<std::string, Rule>& rules, Config& config)
      : rules_(rules), config_(config), map_(YamlView(document), "the configuration") {}

  // Returns the mistakes, one line each.
  const std::vector<std::string>& read() {
    attempt([&] { read_rules(); });
    attempt([&] { read_level(); });
    attempt([&] { read_min_severity(); });
    attempt([&] { read_fail_level(); });
    attempt([&] { read_thresholds(); });
    attempt([&] { read_patterns("only-files", config_.only_files); });
    attempt([&] { read_patterns("exclude-files", config_.exclude_files); });
    attempt([&] { read_paths("api-facts", config_.api_facts); });
    attempt([&] { read_paths("words", config_.words); });
    attempt([&] { read_path("build-path", config_.build_path); });
    attempt([&] { read_path("baseline", config_.baseline); });
    for (uint32_t i = 0; i < map_.view().size(); ++i) attempt([&] { map_.check_looked_up(i); });
    return mistakes_;
  }

 private:
  // Goes on after a mistake, so that one run shows them all.
  template <typename Read>
  void attempt(const Read& read) {
    if (mistakes_.size() == kMostMistakes) return;
    try {
      read();
    } catch (const DataError& error) {
      std::string message = error.what();
      if (message.size() > kMostMessageBytes) message = message.substr(0, kMostMessageBytes) + "...";
      mistakes_.push_back(std::move(message));
    }
  }

  void read_rules() {
    const auto value = map_.optional("rules");
    if (!value) return;
    std::vector<std::string> globs;
    for (const auto& [text, at] : read_words(*value, "rules")) {
      for (const std::string& glob : split_list(text)) {
        attempt([&, &at = at] {
          if (const std::string problem = why_no_rule(glob, rules_); !problem.empty()) fail_at(at, "rules", problem);
        });
        globs.push_back(glob);
      }
    }
    config_.rules.set(std::move(globs), origin_of(*value));
  }

  void read_level() {
    const auto value = map_.optional("level");
    if (!value) return;
    const int level = read_int(*value, "level");
    if (level < 0 || level > 2) fail_at(*value, "level", "must be 0, 1 or 2");
    config_.level.set(level, origin_of(*value));
  }

  void read_min_severity() {
    const auto value = map_.optional("min-severity");
    if (!value) return;
    const std::string word = read_word(*value, "min-severity", {"info", "low", "medium", "high"});
    config_.min_severity.set(severity_from_string(word), origin_of(*value));
  }

  void read_fail_level() {
    const auto value = map_.optional("fail-level");
    if (!value) return;
    const std::string word = read_word(*value, "fail-level", {"info", "low", "medium", "high", "never"});
    config_.fail_level.set(word == "never" ? std::nullopt : std::optional(severity_from_string(word)),
                           origin_of(*value));
  }

  void read_thresholds() {
    const auto value = map_.optional("thresholds");
    if (!value) return;
    expect_map(*value, "thresholds");
    for (uint32_t i = 0; i < value->size(); ++i)
      attempt([&] { read_thresholds_of(read_text(value->key(i), "thresholds"), value->key(i), value->value(i)); });
  }

  void read_thresholds_of(const std::string& id, const YamlView& key, const YamlView& value) {
    const auto rule = rules_.find(id);
    if (rule == rules_.end()) fail_at(key, id, why_no_rule(id, rules_));
    expect_map(value, id);
    for (uint32_t i = 0; i < value.size(); ++i)
      attempt([&] { read_threshold(rule->second, value.key(i), value.value(i)); });
  }

  void read_threshold(const Rule& rule, const YamlView& key, const YamlView& value) {
    const std::string name = read_text(key, rule.id);
    std::vector<std::string> known;
    for (const auto& [threshold, number] : rule.thresholds)
      if (find_threshold(threshold)->reader == ThresholdName::Reader::kCheck) known.push_back(threshold);
    if (std::find(known.begin(), known.end(), name) == known.end())
      fail_at(key, name, why_no_threshold(rule, name, known));
    const double number = read_number(value, name);
    if (!(number >= 1 && number <= kMostOfThreshold) || number != std::floor(number))
      fail_at(value, name, "must be a whole number from 1 to " + threshold_text(kMostOfThreshold));
    config_.thresholds[rule.id][name].set(number, origin_of(value));
  }

  static std::string why_no_threshold(const Rule& rule, const std::string& name,
                                      const std::vector<std::string>& known) {
    if (rule.thresholds.count(name) != 0)
      return "belongs to `syncsniff run`, which reads no configuration; `check` does not use it";
    if (known.empty()) return "unknown threshold; " + rule.id + " has none that `check` reads";
    const std::string nearest = nearest_name(name, known);
    std::string all;
    for (const std::string& one : known) all += (all.empty() ? "" : ", ") + one;
    return "unknown threshold of " + rule.id + (nearest.empty() ? "; " : "; did you mean '" + nearest + "'? ") +
           "known: " + all;
  }

  void read_patterns(const char* key, Setting<std::vector<std::string>>& setting) {
    const auto value = map_.optional(key);
    if (!value) return;
    std::vector<std::string> patterns;
    for (const auto& [text, at] : read_words(*value, key)) {
      attempt([&, &text = text, &at = at] {
        try {
          patterns.push_back(PathGlob(text).text());
        } catch (const PatternError& error) {
          fail_at(at, key, "'" + text + "': " + error.what());
        }
      });
    }
    setting.set(std::move(patterns), origin_of(*value));
  }

  std::string path_of(const std::string& text) const {
    return (fs::path(config_.folder) / text).lexically_normal().string();
  }

  void read_paths(const char* key, Setting<std::vector<std::string>>& setting) {
    const auto value = map_.optional(key);
    if (!value) return;
    std::vector<std::string> paths;
    for (const auto& [text, at] : read_words(*value, key)) paths.push_back(path_of(text));
    setting.set(std::move(paths), origin_of(*value));
  }

  void read_path(const char* key, Setting<std::string>& setting) {
    if (const auto value = map_.optional(key)) setting.set(path_of(read_text(*value, key)), origin_of(*value));
  }

  const std::map<std::string, Rule>& rules_;
  Config& config_;
  SchemaReader map_;
  std::vector<std::string> mistakes_;
};

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
  if (lines.size() == kMostMistakes) text += "\nfurther mistakes are not listed";
  return text;
}

}  // namespace

Config read_config(const std::string& file, const std::map<std::string, Rule>& rules) {
  Config config;
  config.file = file;
  config.folder = fs::absolute(file).lexically_normal().parent_path().string();
  std::string problem;
  const std::optional<std::string> text = read_regular_file(file, problem, kMostBytes);
  if (!text) throw ConfigError(file + ": " + problem + "; name another configuration file, or give --no-config");
  if (says_nothing(*text)) return config;
  try {
    // Of a file that is no YAML the first mistake is told, since what follows it cannot be read.
    const YamlDocument document = YamlDocument::parse(file, *text, YamlDocument::Marks::kLinesAndColumns);
    const std::vector<std::string> mistakes = ConfigReader(document, rules, config).read();
    if (!mistakes.empty()) throw ConfigError(joined(mistakes));
  } catch (const DataError& error) {
    std::string message = error.what();
    if (message.size() > kMostMessageBytes) message = message.substr(0, kMostMessageBytes) + "...";
    throw ConfigError(message);
  }
  return config;
}

}  // namespace syncsniff
