#include "instrument/reader/file_header.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

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
  // Refused: the trace reads as well.
  if (info.st_size > used) [[maybe_unused]]
    const int result = ftruncate(file, used);
}

}  // namespace syncsniff::reader
