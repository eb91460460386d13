// Opens files that are only read. Named pipes and devices are refused: reading a pipe could block for ever, and a
// device has no end and may act on being opened.
#pragma once

#include <fcntl.h>

#include <cstdint>
#include <optional>
#include <string>

namespace syncsniff {

// No table, database, response file or source is longer; a sparse file may claim to be.
inline constexpr uint64_t kMaxTextBytes = uint64_t{1} << 30;

// Why `path` is not a regular file, worded to follow "PATH: "; empty if it is one, or does not exist.
std::string why_not_regular(const std::string& path);

// Returns a descriptor opened in `mode` (O_RDONLY or O_RDWR). Returns -1 if the path is not a regular file or cannot be
// opened; `problem` is then the reason, worded to follow "PATH: ".
int open_regular_file(const std::string& path, std::string& problem, int mode = O_RDONLY);

// The whole content. Returns nothing and sets `problem` if it cannot be read or is longer than `max_bytes`.
std::optional<std::string> read_regular_file(const std::string& path, std::string& problem,
                                             uint64_t max_bytes = kMaxTextBytes);

// The first `bytes` of the file, or all of it if it is shorter.
std::optional<std::string> read_beginning(const std::string& path, std::string& problem, uint64_t bytes);

}  // namespace syncsniff
