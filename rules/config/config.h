// The settings that a configuration file gives `check` and `fix`: which rules, how severe, which files, which facts.
// The command line takes precedence. This code only reads files; applying the settings is left to the callers.
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

// what(): "FILE:LINE:COLUMN: key 'k': problem", one line.
class ConfigError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A value, and its source: "default", "command line", or FILE:LINE:COLUMN.
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
  std::string file;                         // that was read; empty: none
  std::string folder;                       // paths and patterns are relative to it
  Setting<std::vector<std::string>> rules;  // globs; each turns rules on, or off where it begins with `-`
  Setting<int> level{1};                    // rules up to this level are on before the globs
  Setting<Severity> min_severity{Severity::kInfo};
  Setting<std::optional<Severity>> fail_level{Severity::kLow};               // nullopt: never
  std::map<std::string, std::map<std::string, Setting<double>>> thresholds;  // by rule and name: those given
  Setting<std::vector<std::string>> only_files, exclude_files;               // patterns (rules/path_glob.h)
  Setting<std::vector<std::string>> api_facts, words;                        // absolute paths of files
  Setting<std::string> build_path, baseline;                                 // absolute; empty: none
};

// `.syncsniff.yaml` in `start` or the nearest folder above it, up to the repository's top (the folder that holds .git)
// or the root of the file system. Empty: none.
std::string find_config(const std::string& start);

// --config, --no-config, or else the one that find_config() finds from the working directory.
struct ConfigChoice {
  std::string file;
  bool none = false;
};
// Throws ConfigError. A missing file is an error if it was named on the command line; otherwise there is no
// configuration.
Config load_config(const ConfigChoice& choice, const std::map<std::string, Rule>& rules);

// Throws ConfigError for an unknown key, rule or threshold, a value of another type, an alias, or over 1 MB of text.
Config read_config(const std::string& file, const std::map<std::string, Rule>& rules);

// Throws ConfigError when a file or folder that the configuration file names is not there.
void require_files(const Config& config);

Thresholds threshold_values(const Config& config);

// The configuration as a file that reads back from the same folder, with where each value comes from.
std::string config_text(const Config& config, const std::map<std::string, Rule>& rules);

}  // namespace syncsniff
