// After the program: its traces get their names, and whatever of them the user must know is said.
#pragma once

#include <string>
#include <vector>

#include "instrument/launcher/child.h"

namespace syncsniff::launcher {

struct Collected {
  std::vector<std::string> traces;  // whole and at their names, the one with most records first
  std::vector<std::string> notes;   // one line each
  bool some_still_run = false;      // processes that go on writing theirs
};

// Moves the traces in `folder` to `output` and names that begin with it, and never to the name of another file; finds
// those that processes left there themselves, which are not in `older`. `end`: of the program.
Collected collect_traces(const std::string& folder, const std::string& output, const std::vector<std::string>& older,
                         const ChildEnd& end);

}  // namespace syncsniff::launcher
