// The one way to open a file that is only read. A named pipe would keep us waiting for ever, a device has no end and
// may act on being opened: both are refused at once.
#pragma once

#include <fcntl.h>

#include <cstdint>
#include <optional>
#include <string>

namespace syncsniff {

// No table, database, response file or source is this long; a sparse file may claim to be.
inline constexpr uint64_t kMaxTextBytes = uint64_t{1} << 30;

// Why `path` is no regular file, in words that follow "PATH: "; empty when it is one, or is not there at all.
std::string why_not_regular(const std::string& path);

// The descriptor, open in `mode` (O_RDONLY or O_RDWR); -1 when it is no regular file or cannot be opened, and `problem`
// says why in words that follow "PATH: ".
int open_regular_file(const std::string& path, std::string& problem, int mode = O_RDONLY);

// The whole content; nothing, and `problem`, when it cannot be read or is longer than `max_bytes`.
std::optional<std::string> read_regular_file(const std::string& path, std::string& problem,
                                             uint64_t max_bytes = kMaxTextBytes);

// The first `bytes` of it, or all where it is shorter.
std::optional<std::string> read_beginning(const std::string& path, std::string& problem, uint64_t bytes);

}  // namespace syncsniff
