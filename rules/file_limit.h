// Turns lost output into an error with a message, including output lost to the file size limit (ulimit -f).
#pragma once

#include <signal.h>

#include <cerrno>
#include <cstring>
#include <iostream>
#include <string>

namespace syncsniff {

// Exceeding the limit raises SIGXFSZ, which by default ends the process; after this call the write fails with EFBIG
// instead. Uses a handler, not SIG_IGN, since exec resets handlers: a program that we start gets the original
// disposition of the signal.
inline void survive_file_limit() noexcept {
  struct sigaction action{};
  sigaction(SIGXFSZ, nullptr, &action);
  if (action.sa_handler == SIG_IGN) return;
  action.sa_handler = [](int) {};
  action.sa_flags = SA_RESTART;
  sigaction(SIGXFSZ, &action, nullptr);
}

// The advice for a file that could not be written, by its errno; `otherwise` for all errors but EFBIG.
inline std::string write_remedy(int error, const std::string& otherwise) {
  return error == EFBIG ? "raise the file size limit (ulimit -f unlimited)" : otherwise;
}

// Flushes standard output. Returns an empty string if everything printed has been written, else the problem and what to
// do about it.
inline std::string flush_output() {
  if (std::cout) errno = 0;  // else errno is still that of the earlier write that failed
  if (std::cout.flush()) return {};
  return std::string("standard output: cannot be written") +
         (errno != 0 ? std::string(": ") + std::strerror(errno) : "") + "; " +
         write_remedy(errno, "free some space or send it elsewhere");
}

}  // namespace syncsniff
