// The settings in a configuration file for `check` and `fix`: rules, severities, files, API facts. The command line
// takes precedence. This code only reads files; the callers apply the settings.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rules/finding.h"
#include "rules/path_glob.h"
#include "rules/rule.h"

namespace syncsniff {

// what(): "FILE:LINE:COLUMN: key 'k': problem", one line for each mistake.
class ConfigError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A value and its source: "default", "command line", or FILE:LINE:COLUMN.
template <typename Value>
struct Setting {
  Value value{};
  std::string origin = "default";

  void set(Value to, std::string from) {
    value = std::move(to);
    origin = std::move(from);
  }
  bool is_default() const { return origin == "default"; }
};

struct Config {
  std::string file;                         // the file that was read; empty: none
  std::string folder;                       // the folder to which paths and patterns are relative
  Setting<std::vector<std::string>> rules;  // globs; each turns rules on, or off if it begins with `-`
  Setting<int> level{1};                    // rules up to this level are on before the globs apply
  Setting<Severity> min_severity{Severity::kInfo};
  Setting<std::optional<Severity>> fail_level{Severity::kLow};  // nullopt: never
  // By rule and name; only those that are set.
  std::map<std::string, std::map<std::string, Setting<double>>> thresholds;
  Setting<std::vector<std::string>> only_files, exclude_files;  // patterns (rules/path_glob.h)
  Setting<std::vector<std::string>> api_facts, words;           // absolute paths of files
  Setting<std::string> build_path, baseline;                    // absolute; empty: none
};

// Path of `.syncsniff.yaml` in `start` or the nearest folder above it, up to the top of the repository (the folder that
// contains .git) or the root of the file system. Empty: none.
std::string find_config(const std::string& start);

// The choice by --config or --no-config; by default find_config() searches from the working directory.
struct ConfigChoice {
  std::string file;
  bool none = false;
};
// Throws ConfigError. A missing file is an error if it was named on the command line; otherwise there is no
// configuration.
Config load_config(const ConfigChoice& choice, const std::map<std::string, Rule>& rules);

// Throws ConfigError for an unknown key, rule or threshold, a value of another type, an alias, or over 1 MB of text.
Config read_config(const std::string& file, const std::map<std::string, Rule>& rules);

// Throws ConfigError if a file or folder named in the configuration file does not exist.
void require_files(const Config& config);

Thresholds threshold_values(const Config& config);

// The configuration as YAML that can be read again from the same folder, with the source of each value.
std::string config_text(const Config& config, const std::map<std::string, Rule>& rules);

}  // namespace syncsniff
