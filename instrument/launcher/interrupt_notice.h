// The message for a Ctrl-C after the program's end, while its traces are collected and reported: it says where they
// are. Nothing is cleaned up then; the process ends at once.
#pragma once

#include <signal.h>

#include <string>
#include <vector>

namespace syncsniff::launcher {

// From now on SIGINT prints the notice and ends the process with status 130; before a notice is set it ends the process
// silently. A SIGINT that was ignored stays ignored. While the program runs, other handlers are installed (child.h).
class InterruptNotice {
 public:
  InterruptNotice();
  ~InterruptNotice();
  InterruptNotice(const InterruptNotice&) = delete;
  InterruptNotice& operator=(const InterruptNotice&) = delete;

  // `line`: one line, without "syncsniff: ".
  void say(const std::string& line);

 private:
  // Never removed, since the handler may print them; reserved, so that none is moved.
  std::vector<std::string> lines_;
  struct sigaction old_{};
};

}  // namespace syncsniff::launcher
