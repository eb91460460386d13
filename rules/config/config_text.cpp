// --dump-config: writes the configuration as YAML that can be read again, each line with the source of its value.
#include <algorithm>
#include <sstream>

#include "rules/config/config.h"
#include "rules/thresholds.h"
#include "rules/untrusted_text.h"

namespace syncsniff {
namespace {

constexpr size_t kCommentColumn = 50;

std::string commented(std::string line, const std::string& origin) {
  line.resize(std::max(line.size() + 1, kCommentColumn), ' ');
  return line + "# " + printable(origin) + "\n";
}

// Quotes a text for YAML; every text can be written in double quotes.
std::string quoted(const std::string& text) {
  static const char* digits = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if (byte < 0x20 || byte == 0x7f)
      out += std::string("\\x") + digits[byte >> 4] + digits[byte & 15];
    else
      out += c;
  }
  return out + "\"";
}

std::string list(const char* key, const Setting<std::vector<std::string>>& setting) {
  if (setting.value.empty()) return commented(std::string(key) + ": []", setting.origin);
  std::string text = commented(std::string(key) + ":", setting.origin);
  for (const std::string& value : setting.value) text += "  - " + quoted(value) + "\n";
  return text;
}

std::string path(const char* key, const Setting<std::string>& setting) {
  if (setting.value.empty()) return "# " + std::string(key) + ": none\n";
  return commented(std::string(key) + ": " + quoted(setting.value), setting.origin);
}

std::string thresholds_text(const Config& config, const std::map<std::string, Rule>& rules) {
  std::string text = "thresholds:\n";
  for (const auto& [id, rule] : rules) {
    std::string lines;
    for (const auto& [name, value] : rule.thresholds) {
      if (find_threshold(name)->reader != ThresholdName::Reader::kCheck) continue;
      const auto given = config.thresholds.find(id);
      const auto setting = given == config.thresholds.end() ? std::map<std::string, Setting<double>>::const_iterator{}
                                                            : given->second.find(name);
      const bool is_given = given != config.thresholds.end() && setting != given->second.end();
      lines += commented("    " + name + ": " + threshold_text(is_given ? setting->second.value : value),
                         is_given ? setting->second.origin : "default");
    }
    if (!lines.empty()) text += "  " + id + ":\n" + lines;
  }
  return text;
}

}  // namespace

std::string config_text(const Config& config, const std::map<std::string, Rule>& rules) {
  std::ostringstream out;
  out << "# The settings in effect, from this command line, "
      << (config.file.empty() ? "no configuration file" : printable(config.file))
      << " and the defaults. Patterns are relative to " << printable(config.folder) << "\n"
      << list("rules", config.rules) << commented("level: " + std::to_string(config.level.value), config.level.origin)
      << commented(std::string("min-severity: ") + to_string(config.min_severity.value), config.min_severity.origin)
      << commented(
             std::string("fail-level: ") + (config.fail_level.value ? to_string(*config.fail_level.value) : "never"),
             config.fail_level.origin)
      << thresholds_text(config, rules) << list("only-files", config.only_files)
      << list("exclude-files", config.exclude_files) << list("api-facts", config.api_facts)
      << list("words", config.words) << path("build-path", config.build_path) << path("baseline", config.baseline);
  return out.str();
}

}  // namespace syncsniff
