#include "analyzer/facts/project_files.h"

#include <filesystem>

namespace syncsniff::facts {

namespace fs = std::filesystem;

bool ProjectFiles::decide(const std::string& path) const {
  if (path == main_file_) return true;
  if (root_.empty() || path.compare(0, root_.size(), root_) != 0) return false;
  const std::string rest = path.substr(root_.size());
  // Other people's code that lives in the tree, and what package managers put there.
  for (const char* foreign : {"/_deps/", "/third_party/", "/third-party/", "/thirdparty/", "/external/", "/extern/",
                              "/site-packages/", "/vendor/", "/node_modules/", "/.venv/", "/libtorch/"}) {
    if (rest.find(foreign) != std::string::npos) return false;
  }
  return true;
}

bool ProjectFiles::contains(clang::SourceLocation location, const clang::SourceManager& sources) const {
  if (location.isInvalid()) return false;
  const clang::SourceLocation file = sources.getFileLoc(location);
  const clang::FileID id = sources.getFileID(file);
  if (id == sources.getMainFileID()) return true;
  auto [entry, fresh] = by_file_.try_emplace(id.getHashValue(), false);
  if (fresh && !sources.isInSystemHeader(file)) {
    if (auto ref = sources.getFileEntryRefForID(id)) {
      llvm::StringRef real = ref->getFileEntry().tryGetRealPathName();
      std::error_code error;
      const std::string path = fs::weakly_canonical(real.empty() ? ref->getName().str() : real.str(), error).string();
      entry->second = decide(path);
    }
  }
  return entry->second;
}

std::string project_root(const std::string& file, const std::string& fallback) {
  std::error_code error;
  for (fs::path at = fs::weakly_canonical(file, error).parent_path(); at.has_relative_path(); at = at.parent_path()) {
    if (fs::exists(at / ".git", error)) return at.string() + "/";
  }
  const std::string root = fs::weakly_canonical(fallback, error).string();
  return root.empty() || root == "/" ? fs::path(file).parent_path().string() + "/" : root + "/";
}

}  // namespace syncsniff::facts
