// Finds the configuration file, and checks that the files that it names exist.
#include <filesystem>

#include "rules/config/config.h"
#include "rules/regular_file.h"

namespace syncsniff {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = ".syncsniff.yaml";
constexpr const char* kOtherEnding = ".syncsniff.yml";

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(fs::symlink_status(path, error));  // a dangling link exists, too
}

// The path relative to the working directory if it is below it, as people write it; else the full path.
std::string short_path(const fs::path& path) {
  std::error_code error;
  const fs::path relative = fs::proximate(path, error);
  return error || relative.empty() || *relative.begin() == ".." ? path.string() : relative.string();
}

void require_file(const std::string& path, const std::string& origin, const char* key, const char* remedy) {
  std::string problem = is_there(path) ? why_not_regular(path) : "no such file";
  if (!problem.empty()) throw ConfigError(origin + ": key '" + key + "': " + path + ": " + problem + remedy);
}

bool is_from_file(const std::string& origin) { return origin != "default" && origin != "command line"; }

}  // namespace

std::string find_config(const std::string& start) {
  std::error_code error;
  for (fs::path level = fs::absolute(start, error).lexically_normal(); !error && !level.empty();
       level = level.parent_path()) {
    if (is_there(level / kName)) return short_path(level / kName);
    if (is_there(level / kOtherEnding))
      throw ConfigError(short_path(level / kOtherEnding) + ": is not read under this name; rename it to " + kName);
    if (is_there(level / ".git") || level == level.parent_path()) break;
  }
  return {};
}

Config load_config(const ConfigChoice& choice, const std::map<std::string, Rule>& rules) {
  std::error_code error;
  const std::string here = fs::current_path(error).string();
  if (!choice.file.empty() && !is_there(choice.file))
    throw ConfigError(choice.file + ": no such file; --config takes a configuration file");
  const std::string file = choice.none ? "" : !choice.file.empty() ? choice.file : find_config(here);
  if (!file.empty()) return read_config(file, rules);
  Config config;
  config.folder = here;
  return config;
}

void require_files(const Config& config) {
  if (is_from_file(config.api_facts.origin))
    for (const std::string& path : config.api_facts.value) require_file(path, config.api_facts.origin, "api-facts", "");
  if (is_from_file(config.words.origin))
    for (const std::string& path : config.words.value) require_file(path, config.words.origin, "words", "");
  if (is_from_file(config.build_path.origin) && !is_there(config.build_path.value))
    throw ConfigError(config.build_path.origin + ": key 'build-path': " + config.build_path.value +
                      ": no such file or folder; it takes a compile_commands.json or its folder");
  if (is_from_file(config.baseline.origin))
    require_file(config.baseline.value, config.baseline.origin, "baseline",
                 "; `syncsniff check --no-baseline --format=json -o FILE` makes one");
}

Thresholds threshold_values(const Config& config) {
  Thresholds values;
  for (const auto& [id, thresholds] : config.thresholds)
    for (const auto& [name, setting] : thresholds) values[id][name] = setting.value;
  return values;
}

}  // namespace syncsniff
