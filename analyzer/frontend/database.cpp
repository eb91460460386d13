#include <algorithm>
#include <climits>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "analyzer/frontend/arguments.h"
#include "analyzer/frontend/command.h"
#include "analyzer/frontend/json_bytes.h"
#include "rules/regular_file.h"

namespace syncsniff::frontend {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kName = "compile_commands.json";
constexpr const char* kHowToMakeOne =
    "make one with `cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`, `bear -- make -B` or `meson setup`";

bool is_file(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(path, none);
}

// build, build-debug, cmake-build-release, out: the newest database in any of them.
fs::path newest_in_build_folders(const fs::path& level) {
  fs::path best;
  fs::file_time_type best_time{};
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(level, fs::directory_options::skip_permission_denied, none)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("build") && !name.starts_with("cmake-build") && !name.starts_with("out")) continue;
    const fs::path file = entry.path() / kName;
    if (!is_file(file)) continue;
    const auto time = fs::last_write_time(file, none);
    if (best.empty() || time > best_time) {
      best = file;
      best_time = time;
    }
  }
  return best;
}

fs::path find_from(const std::string& path) {
  const fs::path start(path);
  std::error_code none;
  if (!fs::exists(start, none))
    throw std::runtime_error(path + ": no such file or folder; -p takes a build folder or a " + kName);
  if (!fs::is_directory(start, none)) return start;
  if (is_file(start / kName)) return start / kName;
  if (fs::path below = newest_in_build_folders(start); !below.empty()) return below;
  throw std::runtime_error(path + ": no " + std::string(kName) + " in this folder; name another one with -p, or " +
                           kHowToMakeOne);
}

// Build folders beside a folder count up to the repository's top: those above it belong to other projects.
fs::path find_upward() {
  const fs::path start = fs::current_path();
  bool inside_repository = true;
  for (fs::path level = start;; level = level.parent_path()) {
    if (is_file(level / kName)) return level / kName;
    if (inside_repository)
      if (fs::path below = newest_in_build_folders(level); !below.empty()) return below;
    std::error_code none;
    if (fs::is_directory(level / ".git", none)) inside_repository = false;
    if (level == level.parent_path()) break;
  }
  throw NoDatabase(start.string() + ": no " + kName + " here, in build*/, or in a folder above; " + kHowToMakeOne +
                   ", or name it with -p");
}

[[noreturn]] void bad_entry(const std::string& problem) { throw std::runtime_error(problem); }

std::string bytes_of(const json& text, const char* key) {
  std::string bytes;
  if (!bytes_from_json(text.get_ref<const std::string&>(), bytes))
    bad_entry(std::string("\"") + key + "\" holds half a surrogate pair (\\ud800 to \\udfff)");
  return bytes;
}

std::string text_of(const json& entry, const char* key) {
  if (!entry.contains(key)) bad_entry(std::string("no \"") + key + "\"");
  if (!entry[key].is_string()) bad_entry(std::string("\"") + key + "\" is not a string");
  return bytes_of(entry[key], key);
}

// Linux accepts no longer path, and splitting a much longer one takes minutes.
std::string path_of(const json& entry, const char* key) {
  std::string path = text_of(entry, key);
  if (path.size() >= PATH_MAX) bad_entry(std::string("\"") + key + "\" is longer than a path can be");
  return path;
}

void read_entry(const json& entry, const std::string& folder, CompileCommand& command) {
  if (!entry.is_object()) bad_entry("not an object");
  command.file = path_of(entry, "file");
  if (command.file.empty()) bad_entry("\"file\" is empty");
  if (entry.contains("directory")) command.directory = absolute_path(path_of(entry, "directory"), folder);
  if (entry.contains("arguments")) {
    if (!entry["arguments"].is_array()) bad_entry("\"arguments\" is not a list");
    for (const json& word : entry["arguments"]) {
      if (!word.is_string()) bad_entry("\"arguments\" holds something that is not a string");
      command.arguments.push_back(bytes_of(word, "arguments"));
    }
  } else {
    command.arguments = split_command(text_of(entry, "command"));
  }
  if (command.arguments.empty()) bad_entry("the command is empty");
}

// An invalid entry fails only its own unit, which is named by the entry's number if its file is unknown.
CompileCommand read_command(const json& entry, const fs::path& database, size_t index) {
  const std::string number = "entry " + std::to_string(index);
  const std::string folder = database.parent_path().string();
  CompileCommand command;
  command.directory = folder;
  try {
    read_entry(entry, folder, command);
  } catch (const std::runtime_error& error) {
    command.problem = database.string() + ": " + number + ": " + error.what() + "; generate the database again";
    if (command.file.empty()) command.file = database.filename().string() + " " + number;
  }
  return command;
}

json parse_file(const fs::path& path) {
  std::string problem;
  const std::optional<std::string> read = read_regular_file(path.string(), problem);
  if (!read)
    throw std::runtime_error(path.string() + ": cannot be read: " + problem + "; name a " + kName + " with -p");
  const std::string text = json_of_bytes(*read);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    throw std::runtime_error(path.string() + ": the compile database is empty; generate it again");
  try {
    return json::parse(text, nullptr, true, true);
  } catch (const json::parse_error& error) {
    const size_t at = std::min<size_t>(error.byte, text.size());
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    throw std::runtime_error(path.string() + ":" + std::to_string(line) +
                             ": not valid JSON; generate the database again");
  } catch (const json::exception& error) {  // a number out of range
    throw std::runtime_error(path.string() + ": cannot be read: " + error.what() + "; generate the database again");
  }
}

}  // namespace

std::vector<CompileCommand> load_compile_database(const std::string& path, std::string* found_at) {
  const fs::path database = absolute_path((path.empty() ? find_upward() : find_from(path)).string(), ".");
  const json document = parse_file(database);
  if (!document.is_array())
    throw std::runtime_error(database.string() + ": not a list of compile commands; name a " + kName + " with -p");
  if (document.empty())
    throw std::runtime_error(database.string() +
                             ": the compile database is empty; generate it again, or build with `bear -- make -B`");
  std::vector<CompileCommand> commands;
  commands.reserve(document.size());
  for (size_t i = 0; i < document.size(); ++i) commands.push_back(read_command(document[i], database, i));
  if (std::none_of(commands.begin(), commands.end(), [](const CompileCommand& c) { return c.problem.empty(); }))
    throw std::runtime_error(commands.front().problem);
  if (found_at) *found_at = database.string();
  return commands;
}

}  // namespace syncsniff::frontend
