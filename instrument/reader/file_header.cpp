#include "instrument/reader/file_header.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

namespace syncsniff::reader {
namespace {

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags)
      : number_(open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)) {}
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return number_; }

 private:
  int number_;
};

std::optional<trace::FileHeader> header_of(int file) {
  trace::FileHeader header;
  if (pread(file, &header, sizeof header, 0) != static_cast<ssize_t>(sizeof header)) return std::nullopt;
  if (std::memcmp(header.magic, trace::kMagic, sizeof header.magic) != 0) return std::nullopt;
  if (!trace::is_readable(header.version) || header.chunk_bytes != trace::kChunkBytes) return std::nullopt;
  return header;
}

}  // namespace

std::optional<trace::FileHeader> read_file_header(const std::string& path) {
  const Descriptor file(path, O_RDONLY);
  return file < 0 ? std::nullopt : header_of(file);
}

void trim_trace(const std::string& path) {
  const Descriptor file(path, O_RDWR);
  const auto header = file < 0 ? std::nullopt : header_of(file);
  struct stat info{};
  if (!header || fstat(file, &info) != 0) return;
  const auto used = static_cast<off_t>(trace::kHeaderBytes + uint64_t{header->chunks} * trace::kChunkBytes);
  // If this fails, the trace is readable all the same.
  if (info.st_size > used) [[maybe_unused]]
    const int result = ftruncate(file, used);
}

int replace_by_copy(const std::string& path) {
  const Descriptor from(path, O_RDONLY);
  const auto header = from < 0 ? std::nullopt : header_of(from);
  if (!header) return errno != 0 ? errno : EINVAL;
  const std::string draft = path + ".copy";
  const int to = open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (to < 0) return errno;
  const uint64_t used = trace::kHeaderBytes + uint64_t{header->chunks} * trace::kChunkBytes;
  std::vector<char> bytes(trace::kChunkBytes);
  int error = 0;
  for (uint64_t at = 0; error == 0 && at < used;) {
    const ssize_t got = pread(from, bytes.data(), std::min<uint64_t>(bytes.size(), used - at), static_cast<off_t>(at));
    if (got <= 0)
      error = got < 0 ? errno : EIO;
    else if (pwrite(to, bytes.data(), static_cast<size_t>(got), static_cast<off_t>(at)) != got)
      error = errno != 0 ? errno : ENOSPC;
    else
      at += static_cast<uint64_t>(got);
  }
  if (close(to) != 0 && error == 0) error = errno;
  if (error == 0 && rename(draft.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) unlink(draft.c_str());
  return error;
}

}  // namespace syncsniff::reader
