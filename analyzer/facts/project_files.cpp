#include "analyzer/facts/project_files.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "analyzer/fetched.h"

namespace syncsniff::facts {

namespace fs = std::filesystem;

namespace {

// Foreign code in the project's tree, and folders of package managers. `rest`: the path from the root's last slash on.
bool is_foreign_folder(const std::string& rest) {
  for (const char* foreign : {"/_deps/", "/third_party/", "/third-party/", "/thirdparty/", "/external/", "/extern/",
                              "/site-packages/", "/vendor/", "/node_modules/", "/.venv/", "/libtorch/"}) {
    if (rest.find(foreign) != std::string::npos) return true;
  }
  return false;
}

std::string real_path(clang::FileEntryRef file) {
  const llvm::StringRef real = file.getFileEntry().tryGetRealPathName();
  std::error_code error;
  return fs::weakly_canonical(real.empty() ? file.getName().str() : real.str(), error).string();
}

}  // namespace

bool is_foreign(const std::string& path) { return is_foreign_folder("/" + path); }

bool ProjectFiles::decide(const std::string& path) const {
  if (path == main_file_) return true;
  if (root_.empty() || path.compare(0, root_.size(), root_) != 0) return false;
  return !is_foreign_folder(path.substr(root_.size() - 1));
}

// Judges by the path in the #include, whose symbolic links may lead from such a folder to one of the project's own. The
// root may be reached through links, too; if the path does not contain the root, only folders that a build fetches are
// foreign.
bool ProjectFiles::is_named_as_foreign(const std::string& name) const {
  const std::string whole = fs::path(name).lexically_normal().string();
  if (!is_foreign_folder(whole)) return false;
  std::error_code error;
  for (fs::path at = fs::path(whole).parent_path(); at.has_relative_path(); at = at.parent_path()) {
    if (fs::weakly_canonical(at, error).string() + "/" == root_)
      return is_foreign_folder(whole.substr(at.string().size()));
  }
  return is_below_fetched(whole);
}

ProjectFiles::Side ProjectFiles::side_of(clang::SourceLocation location, const clang::SourceManager& sources) const {
  if (location.isInvalid()) return Side::kForeign;
  const clang::SourceLocation place = sources.getFileLoc(location);
  const clang::FileID id = sources.getFileID(place);
  if (id == sources.getMainFileID()) return Side::kOwn;
  auto [entry, fresh] = by_file_.try_emplace(id.getHashValue(), Side::kForeign);
  const auto file = fresh ? sources.getFileEntryRefForID(id) : std::nullopt;
  if (!file) return entry->second;
  if (!sources.isInSystemHeader(place) && contains(*file, sources.getFileManager())) return entry->second = Side::kOwn;
  const std::string path = adopted_.empty() ? std::string() : real_path(*file);
  for (const std::string& folder : adopted_)
    if (path.starts_with(folder)) entry->second = Side::kAdopted;
  return entry->second;
}

bool ProjectFiles::contains(clang::SourceLocation location, const clang::SourceManager& sources) const {
  return side_of(location, sources) != Side::kForeign;
}

bool ProjectFiles::is_adopted(clang::SourceLocation location, const clang::SourceManager& sources) const {
  return side_of(location, sources) == Side::kAdopted;
}

bool ProjectFiles::contains(clang::FileEntryRef file, clang::FileManager& files) const {
  const std::string path = real_path(file);
  llvm::SmallString<256> name(file.getName());
  files.makeAbsolutePath(name);
  return decide(path) && (path == main_file_ || !is_named_as_foreign(std::string(name)));
}

bool ProjectFiles::contains(const std::string& path) const {
  std::error_code error;
  const std::string real = fs::weakly_canonical(path, error).string();
  return decide(real) && (real == main_file_ || !is_named_as_foreign(path));
}

std::string project_root(const std::string& file, const std::vector<std::string>& units) {
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(file, error).parent_path();
  const char* const named = std::getenv("HOME");
  const fs::path home = named ? fs::weakly_canonical(named, error) : fs::path();
  fs::path outermost;
  for (fs::path at = folder; at.has_relative_path(); at = at.parent_path()) {
    for (const char* repository : {".git", ".hg", ".svn"}) {
      if (fs::exists(at / repository, error)) return at.string() + "/";
    }
    // A source tree without its repository (an archive, a container's copy): the outermost folder with a file that is
    // usual at the top of one. Never a home folder, which may contain anything.
    if (at == home) continue;
    for (const char* top : {"CMakeLists.txt", "Makefile", "meson.build", "setup.py", "pyproject.toml", "BUILD.bazel",
                            ".gitignore", "README", "README.md", "README.rst", "README.txt", "LICENSE", "LICENSE.txt",
                            "COPYING", "compile_commands.json"}) {
      if (fs::exists(at / top, error)) outermost = at;
    }
  }
  if (!outermost.empty()) return outermost.string() + "/";
  std::string common = folder.string() + "/";
  for (const std::string& unit : units) {
    while (common.size() > 1 && unit.compare(0, common.size(), common) != 0) {
      common.resize(common.rfind('/', common.size() - 2) + 1);
    }
  }
  // Units that have only the root of the file system in common are not one project.
  return std::count(common.begin(), common.end(), '/') > 2 ? common : folder.string() + "/";
}

}  // namespace syncsniff::facts
