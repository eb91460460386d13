#include "analyzer/paths.h"

#include <filesystem>

namespace syncsniff {

namespace fs = std::filesystem;

std::string canonical(const std::string& path) {
  std::error_code error;
  const fs::path out = fs::weakly_canonical(path, error);
  return error ? fs::absolute(path).string() : out.string();
}

std::string shown(const std::string& path) {
  if (path.empty()) return path;
  static const std::string here = canonical(fs::current_path().string()) + "/";
  const std::string whole = canonical(path);
  return whole.compare(0, here.size(), here) == 0 ? whole.substr(here.size()) : whole;
}

std::string given_path(const frontend::CompileCommand& command) {
  return (fs::path(command.directory) / command.file).string();  // an absolute file stays as it is
}

std::string unit_path(const frontend::CompileCommand& command) { return canonical(given_path(command)); }

}  // namespace syncsniff
