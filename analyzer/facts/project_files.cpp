#include "analyzer/facts/project_files.h"

#include <algorithm>
#include <filesystem>

namespace syncsniff::facts {

namespace fs = std::filesystem;

bool ProjectFiles::decide(const std::string& path) const {
  if (path == main_file_) return true;
  if (root_.empty() || path.compare(0, root_.size(), root_) != 0) return false;
  const std::string rest = path.substr(root_.size() - 1);  // from the slash on
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

std::string project_root(const std::string& file, const std::vector<std::string>& units) {
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(file, error).parent_path();
  fs::path outermost_build_file;
  for (fs::path at = folder; at.has_relative_path(); at = at.parent_path()) {
    for (const char* repository : {".git", ".hg", ".svn"}) {
      if (fs::exists(at / repository, error)) return at.string() + "/";
    }
    // A source tree without its repository (an archive, a container's copy): the outermost folder with a build file.
    for (const char* build :
         {"CMakeLists.txt", "Makefile", "meson.build", "setup.py", "pyproject.toml", "BUILD.bazel"}) {
      if (fs::exists(at / build, error)) outermost_build_file = at;
    }
  }
  if (!outermost_build_file.empty()) return outermost_build_file.string() + "/";
  std::string common = folder.string() + "/";
  for (const std::string& unit : units) {
    while (common.size() > 1 && unit.compare(0, common.size(), common) != 0) {
      common.resize(common.rfind('/', common.size() - 2) + 1);
    }
  }
  // Units that share nothing but the root of the file system are no one project.
  return std::count(common.begin(), common.end(), '/') > 2 ? common : folder.string() + "/";
}

}  // namespace syncsniff::facts
