// Makes lost output an error with a message, also where the file size limit (ulimit -f) is the reason.
#pragma once

#include <signal.h>

#include <cerrno>
#include <cstring>
#include <iostream>
#include <string>

namespace syncsniff {

// Exceeding the limit raises SIGXFSZ, which by default ends a process; after this call the write fails with EFBIG
// instead. Uses a handler, not SIG_IGN, since exec resets handlers: a program that we start gets the signal's original
// disposition.
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
  if (std::cout) errno = 0;  // otherwise errno is that of the earlier write that failed
  if (std::cout.flush()) return {};
  return std::string("standard output: cannot be written") +
         (errno != 0 ? std::string(": ") + std::strerror(errno) : "") + "; " +
         write_remedy(errno, "free some space or send it elsewhere");
}

}  // namespace syncsniff
