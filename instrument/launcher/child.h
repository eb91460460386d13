// Starts the program and waits for it. It keeps our terminal, streams and process group, so that job control and a
// group that is killed work as without us; a signal that was sent to us alone is forwarded to it, once.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace syncsniff::launcher {

struct ChildEnd {
  int pid = 0;
  int exit_status = 0;  // the program's own, or 128 + signal
  int signal = 0;       // 0: it exited
};

// Throws LaunchError when the program cannot be started. `started` is called when it has been: a thread of ours that is
// made there leaves no trace in the program, which one made before would (the C library takes a signal for threads).
ChildEnd run_child(const std::string& path, const std::vector<std::string>& command,
                   const std::vector<std::string>& environment, const std::function<void()>& started);

}  // namespace syncsniff::launcher
