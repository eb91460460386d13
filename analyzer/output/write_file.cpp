#include "analyzer/output/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include "rules/file_limit.h"

namespace syncsniff::output {
namespace {

std::string remedy(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "; free some space there";
    case EACCES:
    case EPERM:
    case EROFS:
      return "; make it writable";
    case EISDIR:
      return "; give a file's name";
    case ENOENT:
    case ENOTDIR:
      return "; make its folder first";
    case EFBIG:
      return "; " + write_remedy(error, "");
    default:
      return "";
  }
}

[[noreturn]] void fail(const std::string& path, int error) {
  throw std::runtime_error(path + ": " + std::strerror(error) + remedy(error));
}

bool write_all(int fd, const std::string& content) {
  for (size_t done = 0; done < content.size();) {
    ssize_t count = ::write(fd, content.data() + done, content.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    done += static_cast<size_t>(count);
  }
  return true;
}

void write_straight(const std::string& path, const std::string& content) {
  int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) fail(path, errno);
  bool whole = write_all(fd, content);
  int error = errno;
  if (::close(fd) != 0 && whole) fail(path, errno);
  if (!whole) fail(path, error);
}

mode_t default_mode() {
  mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

// The file a chain of links ends in, there or not; a plain path unchanged.
std::string link_target(const std::string& path) {
  std::filesystem::path target = path;
  std::error_code error;
  for (int hops = 0; hops < 40 && std::filesystem::is_symlink(target, error); ++hops) {
    std::filesystem::path next = std::filesystem::read_symlink(target, error);
    if (error) break;
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  return target.string();
}

void write_and_rename(const std::string& path, const std::string& target, const struct stat* old,
                      const std::string& content) {
  std::filesystem::path whole = target;
  std::string pattern = (whole.parent_path() / ("." + whole.filename().string() + ".syncsniff-XXXXXX")).string();
  std::vector<char> temporary(pattern.begin(), pattern.end());
  temporary.push_back('\0');
  int fd = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) fail(path, errno);
  bool good =
      write_all(fd, content) && ::fchmod(fd, old ? old->st_mode & 07777 : default_mode()) == 0 && ::fsync(fd) == 0;
  int error = errno;
  if (::close(fd) != 0 && good) good = false, error = errno;
  if (good && ::rename(temporary.data(), target.c_str()) != 0) good = false, error = errno;
  if (good) return;
  ::unlink(temporary.data());
  fail(path, error);
}

}  // namespace

void write_file_atomically(const std::string& path, const std::string& content) {
  struct stat old{};
  bool exists = ::stat(path.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) fail(path, EISDIR);
  if (exists && !S_ISREG(old.st_mode)) return write_straight(path, content);
  // A rename would replace even a read-only file: what its owner protected stays.
  if (exists && ::access(path.c_str(), W_OK) != 0) fail(path, errno);
  write_and_rename(path, link_target(path), exists ? &old : nullptr, content);
}

}  // namespace syncsniff::output
