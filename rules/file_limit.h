// A limit on file sizes (ulimit -f) fails the write and does not end the process: every main calls this first.
#pragma once

#include <signal.h>

#include <cerrno>
#include <string>

namespace syncsniff {

// Passing the limit raises SIGXFSZ, which ends a process that does not expect it; from now on the write gives EFBIG.
// A handler, not SIG_IGN: exec takes it away, so whatever we start gets the signal as it was given to us.
inline void survive_file_limit() noexcept {
  struct sigaction action{};
  sigaction(SIGXFSZ, nullptr, &action);
  if (action.sa_handler == SIG_IGN) return;
  action.sa_handler = [](int) {};
  action.sa_flags = SA_RESTART;
  sigaction(SIGXFSZ, &action, nullptr);
}

// What to do about a file that could not be written, by its errno; `otherwise` for every other error.
inline std::string write_remedy(int error, const std::string& otherwise) {
  return error == EFBIG ? "raise the file size limit (ulimit -f unlimited)" : otherwise;
}

}  // namespace syncsniff
