// A path of the shim that is valid in LD_PRELOAD, whose value the loader splits at spaces and colons. If the shim's own
// path contains one, a symbolic link is made.
#pragma once

#include <string>

namespace syncsniff::launcher {

class PreloadPath {
 public:
  // Throws LaunchError if a link is needed but can be created in no folder.
  explicit PreloadPath(const std::string& shim);
  ~PreloadPath();  // removes link and folder
  PreloadPath(const PreloadPath&) = delete;
  PreloadPath& operator=(const PreloadPath&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::string folder_;  // empty: path_ is the shim's own path
};

}  // namespace syncsniff::launcher
