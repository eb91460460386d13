// After the program has ended: moves its traces to their names and collects what the user must know about them.
#pragma once

#include <string>
#include <vector>

#include "instrument/launcher/child.h"

namespace syncsniff::launcher {

struct Collected {
  std::vector<std::string> traces;  // complete and under their names, the one with the most records first
  std::vector<std::string> notes;   // one line each
  bool some_still_run = false;      // some processes are still writing their traces
};

// Moves the traces in `folder` to `output` and names that begin with it, never replacing another file; also finds
// traces that processes left under these names themselves, unless they are in `older`. `end`: how the program ended.
Collected collect_traces(const std::string& folder, const std::string& output, const std::vector<std::string>& older,
                         const ChildEnd& end);

}  // namespace syncsniff::launcher
