#include "instrument/launcher/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "instrument/launcher/preflight.h"
#include "rules/file_limit.h"

namespace syncsniff::launcher {
namespace {

[[noreturn]] void exists(const std::string& path, const std::string& option) {
  throw LaunchError(path + ": exists already, and is not overwritten; remove it or give another " + option);
}

bool write_all(int fd, const std::string& bytes) {
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t wrote = write(fd, bytes.data() + at, bytes.size() - at);
    if (wrote < 0 && errno != EINTR) return false;
    if (wrote > 0) at += static_cast<size_t>(wrote);
  }
  return true;
}

}  // namespace

bool is_stream(const std::string& path) {
  struct stat info{};
  if (path.compare(0, 5, "/dev/") == 0) return true;
  return stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

void check_new_file(const std::string& path, const std::string& option) {
  if (is_stream(path)) return;
  struct stat info{};
  if (lstat(path.c_str(), &info) == 0) exists(path, option);
  const size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
  if (stat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode))
    throw LaunchError(folder + ": no such folder; create it or give another " + option);
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    throw LaunchError(path + ": cannot be written: " + std::strerror(errno) + "; give another " + option);
}

void write_new_file(const std::string& path, const std::string& bytes, const std::string& option, unsigned mode) {
  const bool stream = is_stream(path);
  const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC | (stream ? O_APPEND : O_CREAT | O_EXCL), mode);
  if (fd < 0 && errno == EEXIST) exists(path, option);
  const bool done = fd >= 0 && write_all(fd, bytes);
  int error = errno;
  const bool closed = fd < 0 || close(fd) == 0;
  if (done && closed) return;
  if (done) error = errno;
  if (fd >= 0 && !stream) unlink(path.c_str());
  throw LaunchError(path + ": cannot be written: " + std::strerror(error) + "; " +
                    write_remedy(error, "give another " + option));
}

}  // namespace syncsniff::launcher
