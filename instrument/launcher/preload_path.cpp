#include "instrument/launcher/preload_path.h"

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>

#include "instrument/launcher/preflight.h"

namespace syncsniff::launcher {
namespace {

bool can_be_preloaded(const std::string& path) { return path.find_first_of(" :\t\n") == std::string::npos; }

// Creates a folder that only this user can access; empty: none could be created.
std::string private_folder() {
  const char* runtime = std::getenv("XDG_RUNTIME_DIR");
  for (const char* parent : {runtime, "/tmp", "/var/tmp"}) {
    if (parent == nullptr || *parent != '/' || !can_be_preloaded(parent)) continue;
    std::string name = std::string(parent) + "/syncsniff-XXXXXX";
    if (mkdtemp(name.data()) != nullptr) return name;
  }
  return "";
}

}  // namespace

PreloadPath::PreloadPath(const std::string& shim) : path_(shim) {
  if (can_be_preloaded(shim)) return;
  const std::string target = std::filesystem::absolute(shim).string();
  folder_ = private_folder();
  const std::string link = folder_ + "/libsyncsniff_shim.so";
  if (folder_.empty() || symlink(target.c_str(), link.c_str()) != 0) {
    if (!folder_.empty()) rmdir(folder_.c_str());
    throw LaunchError(shim +
                      ": cannot be preloaded by a path with spaces or colons, and /tmp takes no link to it; install "
                      "syncsniff under a path without them");
  }
  path_ = link;
}

PreloadPath::~PreloadPath() {
  if (folder_.empty()) return;
  unlink(path_.c_str());
  rmdir(folder_.c_str());
}

}  // namespace syncsniff::launcher
