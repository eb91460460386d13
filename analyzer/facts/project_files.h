// Which files are the project's own: their bodies are parsed and walked; of all others only declarations are read.
#pragma once

#include <clang/Basic/SourceManager.h>

#include <string>
#include <unordered_map>
#include <vector>

namespace syncsniff::facts {

class ProjectFiles {
 public:
  // `root`: the project's folder; `main_file` belongs to it wherever it is. `adopted`: folders of foreign headers that
  // are read as if they were the project's (adopted_headers.h).
  ProjectFiles(std::string root, std::string main_file, std::vector<std::string> adopted = {})
      : root_(std::move(root)), main_file_(std::move(main_file)), adopted_(std::move(adopted)) {}

  bool contains(clang::SourceLocation location, const clang::SourceManager& sources) const;
  // By name alone: a file found in a folder of system headers belongs to no project, whatever this returns.
  bool contains(clang::FileEntryRef file, clang::FileManager& files) const;
  bool contains(const std::string& path) const;
  // The file is read, but is not the project's own.
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

// Foreign code in the project's tree: below third_party, vendor, _deps and the like. `path`: relative to the project's
// folder.
bool is_foreign(const std::string& path);

// The folder of the project that `file` belongs to, with a '/' at its end: its repository, else the outermost folder
// with a build file, a README or a licence, else the common folder of all `units` (canonical paths).
std::string project_root(const std::string& file, const std::vector<std::string>& units);

}  // namespace syncsniff::facts
