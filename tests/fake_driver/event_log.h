// Lines that both fakes append to the file that FAKE_CUPTI_LOG names, in the order in which they happened.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace fake {

inline void log_event(const std::string& what) {
  static const char* const path = std::getenv("FAKE_CUPTI_LOG");
  static const int file = path != nullptr ? ::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
  if (file < 0) return;
  const std::string line = what + "\n";
  [[maybe_unused]] const ssize_t written = ::write(file, line.data(), line.size());
}

}  // namespace fake
