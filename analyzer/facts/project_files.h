// Which files are the project's own: those get their bodies parsed and walked, all others are only declared.
#pragma once

#include <clang/Basic/SourceManager.h>

#include <string>
#include <unordered_map>
#include <vector>

namespace syncsniff::facts {

class ProjectFiles {
 public:
  // `root`: the project's folder; `main_file` belongs to it wherever it stands. `adopted`: folders of other people's
  // headers that are read as if they were the project's (adopted_headers.h).
  ProjectFiles(std::string root, std::string main_file, std::vector<std::string> adopted = {})
      : root_(std::move(root)), main_file_(std::move(main_file)), adopted_(std::move(adopted)) {}

  bool contains(clang::SourceLocation location, const clang::SourceManager& sources) const;
  // By name alone: a file that was found in a folder of system headers belongs to nobody's project, whatever this says.
  bool contains(clang::FileEntryRef file, clang::FileManager& files) const;
  bool contains(const std::string& path) const;
  // It is read, but it is not the project's own.
  bool is_adopted(clang::SourceLocation location, const clang::SourceManager& sources) const;

 private:
  enum class Side : uint8_t { kForeign, kOwn, kAdopted };
  Side side_of(clang::SourceLocation location, const clang::SourceManager& sources) const;
  bool decide(const std::string& path) const;
  bool is_named_as_foreign(const std::string& name) const;
  std::string root_, main_file_;
  std::vector<std::string> adopted_;
  mutable std::unordered_map<unsigned, Side> by_file_;
};

// Other people's code that lives in the tree: below third_party, vendor, _deps and their kin. `path`: from the
// project's folder on.
bool is_foreign(const std::string& path);

// The folder that a file's project starts at, with a '/' at its end: its repository, else the outermost folder with a
// build file, a README or a licence, else what all `units` (canonical paths) have in common.
std::string project_root(const std::string& file, const std::vector<std::string>& units);

}  // namespace syncsniff::facts
