// What a Ctrl-C says that comes after the program's end, while its traces are collected and reported: where they lie.
// Nothing is cleaned up then; the process ends at once.
#pragma once

#include <signal.h>

#include <string>
#include <vector>

namespace syncsniff::launcher {

// From here on SIGINT prints the notice and ends the process with status 130; until there is one it ends it as ever. A
// SIGINT that was ignored stays ignored, and the program's own run has handlers of its own (child.h).
class InterruptNotice {
 public:
  InterruptNotice();
  ~InterruptNotice();
  InterruptNotice(const InterruptNotice&) = delete;
  InterruptNotice& operator=(const InterruptNotice&) = delete;

  // One line, without "syncsniff: ".
  void say(const std::string& line);

 private:
  // Each for as long as the handler may print it; reserved, so that none moves.
  std::vector<std::string> lines_;
  struct sigaction old_ {};
};

}  // namespace syncsniff::launcher
