// Starts the program and waits for it. The program shares the launcher's terminal, streams and process group, so that
// job control and signals to the group work as without syncsniff; a signal sent to the launcher alone is forwarded to
// the program, once.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace syncsniff::launcher {

struct ChildEnd {
  int pid = 0;
  int exit_status = 0;  // the program's own, or 128 + signal
  int signal = 0;       // 0: it exited by itself
};

// Throws LaunchError if the program cannot be started. `started` is called afterwards: threads that the launcher starts
// then do not change the program, while one started before would (the C library reserves a signal for threads).
ChildEnd run_child(const std::string& path, const std::vector<std::string>& command,
                   const std::vector<std::string>& environment, const std::function<void()>& started);

}  // namespace syncsniff::launcher
