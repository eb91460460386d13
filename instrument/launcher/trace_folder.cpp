#include "instrument/launcher/trace_folder.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "instrument/launcher/preflight.h"

namespace syncsniff::launcher {
namespace {

constexpr size_t kLongestName = 200;  // of the 255 bytes that a file system allows, which leaves room for what is added

}  // namespace

TraceFolder::TraceFolder(const std::string& output) {
  const size_t name = output.rfind('/') + 1;  // 0 if there is no folder
  path_ = output.substr(0, name) + "." + output.substr(name, kLongestName) + ".XXXXXX";
  if (mkdtemp(path_.data()) == nullptr)
    throw LaunchError(output + ": no folder can be made beside it: " + std::strerror(errno) + "; give another -o");
  chmod(path_.c_str(), 0700);  // the umask may have removed even the owner's bits
  struct stat info{};
  if (stat(path_.c_str(), &info) == 0) made_ = info.st_mtim;
}

bool TraceFolder::has_lost_its_traces() const {
  struct stat info{};
  if (stat(path_.c_str(), &info) != 0) return errno == ENOENT;
  if (info.st_mtim.tv_sec == made_.tv_sec && info.st_mtim.tv_nsec == made_.tv_nsec) return false;
  std::error_code error;
  return std::filesystem::is_empty(path_, error) && !error;
}

void TraceFolder::remove_if_empty() const { rmdir(path_.c_str()); }

}  // namespace syncsniff::launcher
