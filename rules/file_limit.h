// Output that does not arrive is an error that says so, a limit on file sizes (ulimit -f) included.
#pragma once

#include <signal.h>

#include <cerrno>
#include <cstring>
#include <iostream>
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

// Flushes standard output. Empty when all that was printed has arrived; else what is wrong, and what to do.
inline std::string flush_output() {
  if (std::cout) errno = 0;  // else it tells of the write that failed
  if (std::cout.flush()) return {};
  return std::string("standard output: cannot be written") +
         (errno != 0 ? std::string(": ") + std::strerror(errno) : "") + "; " +
         write_remedy(errno, "free some space or send it elsewhere");
}

}  // namespace syncsniff
