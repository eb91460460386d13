#include "analyzer/facts/include_search.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace syncsniff::facts {
namespace {

namespace fs = std::filesystem;
using Where = IncludedFile::Where;

struct Option {
  std::string_view name;
  Where where;
  int rank;  // folders of a lower rank are searched first
};
constexpr Option kOptions[] = {{"-iquote", Where::kQuoteFolder, 0},
                               {"-isystem", Where::kSystemFolder, 2},
                               {"-idirafter", Where::kSystemFolder, 3},
                               {"-I", Where::kUserFolder, 1}};

bool is_file(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

}  // namespace

std::string folders_of_environment() {
  std::string out;
  for (const char* name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"}) {
    const char* folders = std::getenv(name);
    if (folders && *folders) out += std::string(name) + "=" + folders + "\n";
  }
  return out;
}

IncludeSearch::IncludeSearch(const frontend::UnitCommand& command) {
  std::vector<std::pair<int, Folder>> found;
  const std::vector<std::string>& args = command.clang_args;
  for (size_t i = 0; i < args.size(); ++i) {
    for (const Option& option : kOptions) {
      if (args[i].compare(0, option.name.size(), option.name) != 0) continue;
      std::string path = args[i].substr(option.name.size());
      if (path.empty() && i + 1 < args.size()) path = args[++i];
      found.push_back({option.rank, {(fs::path(command.directory) / path).string(), option.where}});
      break;
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [rank, folder] : found) folders_.push_back(std::move(folder));
}

std::vector<std::string> IncludeSearch::folders() const {
  std::vector<std::string> paths;
  for (const Folder& folder : folders_) paths.push_back(folder.path);
  return paths;
}

std::optional<IncludedFile> IncludeSearch::find(const std::string& name, bool angled,
                                                const std::string& includer) const {
  if (name.empty()) return std::nullopt;
  if (!angled || name[0] == '/') {
    std::string path = (fs::path(includer).parent_path() / name).string();
    if (is_file(path)) return IncludedFile{std::move(path), Where::kBesideIncluder};
  }
  for (const Folder& folder : folders_) {
    if (angled && folder.where == Where::kQuoteFolder) continue;
    std::string path = folder.path + "/" + name;
    if (is_file(path)) return IncludedFile{std::move(path), folder.where};
  }
  return std::nullopt;
}

}  // namespace syncsniff::facts
