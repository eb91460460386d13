#include "rules/regular_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace syncsniff {
namespace {

constexpr size_t kReadBytes = 1 << 16;

std::string kind_of(mode_t mode) {
  if (S_ISREG(mode)) return "";
  if (S_ISDIR(mode)) return "is a directory";
  if (S_ISFIFO(mode)) return "is a pipe, not a regular file";
  if (S_ISSOCK(mode)) return "is a socket, not a regular file";
  return "is a device, not a regular file";
}

}  // namespace

std::string why_not_regular(const std::string& path) {
  struct stat info{};
  return stat(path.c_str(), &info) == 0 ? kind_of(info.st_mode) : "";
}

int open_regular_file(const std::string& path, std::string& problem, int mode) {
  // Checked before opening, since opening a device may have an effect; and after it, since the path may be another file
  // by then.
  problem = why_not_regular(path);
  if (!problem.empty()) return -1;
  const int fd = open(path.c_str(), mode | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) {
    problem = std::strerror(errno);
    return -1;
  }
  struct stat info{};
  problem = fstat(fd, &info) == 0 ? kind_of(info.st_mode) : std::strerror(errno);
  if (problem.empty()) return fd;
  close(fd);
  return -1;
}

std::optional<std::string> read_beginning(const std::string& path, std::string& problem, uint64_t bytes) {
  const int fd = open_regular_file(path, problem);
  if (fd < 0) return std::nullopt;
  // The size is only a first estimate: files in /proc have size 0, and others may grow or shrink.
  struct stat info{};
  const uint64_t expected = fstat(fd, &info) == 0 && info.st_size > 0 ? static_cast<uint64_t>(info.st_size) : 0;
  std::string text(std::min(expected + 1, bytes), '\0');  // one more, since the read that finds the end needs room
  size_t size = 0;
  ssize_t got = 0;
  while (size < bytes) {
    if (size == text.size()) text.resize(std::min<uint64_t>(bytes, size + std::max(size, kReadBytes)));
    got = read(fd, text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    size += static_cast<size_t>(got);
  }
  text.resize(size);
  if (got < 0) problem = std::strerror(errno);
  close(fd);
  if (!problem.empty()) return std::nullopt;
  return text;
}

std::optional<std::string> read_regular_file(const std::string& path, std::string& problem, uint64_t max_bytes) {
  std::optional<std::string> text = read_beginning(path, problem, max_bytes + 1);
  if (!text || text->size() <= max_bytes) return text;
  problem = "holds more than " + std::to_string(max_bytes >> 20) + " MiB";
  return std::nullopt;
}

}  // namespace syncsniff
