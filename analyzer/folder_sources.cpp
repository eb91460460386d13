#include "analyzer/folder_sources.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "analyzer/frontend/language.h"
#include "analyzer/paths.h"

namespace syncsniff {
namespace {

namespace fs = std::filesystem;

bool is_passed_over(const fs::path& folder) {
  std::error_code error;
  return folder.filename().string().starts_with(".") || fs::exists(folder / "CMakeCache.txt", error);
}

}  // namespace

FolderSources sources_below(const std::string& folder) {
  FolderSources found;
  const std::string root = canonical(folder);
  std::error_code error;
  if (fs::directory_iterator(root, error); error) throw std::runtime_error(folder + ": " + error.message());
  const auto options = fs::directory_options::skip_permission_denied;  // of folders below it
  for (fs::recursive_directory_iterator entry(root, options, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code ignored;
    if (entry->is_directory(ignored)) {
      if (is_passed_over(entry->path())) entry.disable_recursion_pending();
      continue;
    }
    const std::string path = entry->path().string();
    const frontend::FileKind kind = frontend::file_kind(path);
    if (kind == frontend::FileKind::kUnknown || !entry->is_regular_file(ignored)) continue;
    (frontend::is_header(kind) ? found.headers : found.units).push_back(canonical(path));
  }
  if (error) throw std::runtime_error(folder + ": " + error.message());
  if (found.units.empty() && found.headers.empty())
    throw std::runtime_error(folder + ": no C, C++ or CUDA source in this folder or below it");
  std::sort(found.units.begin(), found.units.end());
  std::sort(found.headers.begin(), found.headers.end());
  return found;
}

}  // namespace syncsniff
