#include "instrument/reader/mark_exit.h"

#include <unistd.h>

#include <cstddef>
#include <cstring>

#include "rules/regular_file.h"
#include "runtime/trace/format.h"

namespace syncsniff::reader {

void mark_exit(const std::string& path, int pid) {
  std::string ignored;
  const int fd = open_regular_file(path, ignored, O_RDWR);
  if (fd < 0) return;
  trace::FileHeader header;
  const bool whole = pread(fd, &header, sizeof header, 0) == static_cast<ssize_t>(sizeof header) &&
                     std::memcmp(header.magic, trace::kMagic, sizeof header.magic) == 0 &&
                     trace::is_readable(header.version);
  constexpr auto kRunning = static_cast<uint32_t>(trace::StopReason::kRunning);
  if (whole && header.pid == static_cast<uint32_t>(pid) && header.end_monotonic_ns == 0 &&
      header.stop_reason == kRunning) {
    constexpr auto kExited = static_cast<uint32_t>(trace::StopReason::kExit);
    // If the write fails, the trace still says "ended early".
    [[maybe_unused]] const ssize_t wrote =
        pwrite(fd, &kExited, sizeof kExited, offsetof(trace::FileHeader, stop_reason));
  }
  close(fd);
}

}  // namespace syncsniff::reader
