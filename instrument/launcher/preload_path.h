// The shim by a path that LD_PRELOAD can carry: the loader splits its value at spaces and colons.
#pragma once

#include <string>

namespace syncsniff::launcher {

class PreloadPath {
 public:
  // Throws LaunchError when the path needs a link and no folder takes one.
  explicit PreloadPath(const std::string& shim);
  ~PreloadPath();  // takes link and folder away
  PreloadPath(const PreloadPath&) = delete;
  PreloadPath& operator=(const PreloadPath&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::string folder_;  // empty: the path is the shim's own
};

}  // namespace syncsniff::launcher
