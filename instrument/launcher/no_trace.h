// What is told, and which exit status is given, when a run left no trace. Says what is known, and what may be.
#pragma once

#include <string>

#include "instrument/launcher/child.h"

namespace syncsniff::launcher {

// One line, without "syncsniff: error: ".
std::string no_trace_line(const std::string& command, const ChildEnd& end, bool gpu_visible);

// The same for a trace that was there: somebody removed it, or the folder that it lay in, while the program ran.
std::string removed_trace_line(const std::string& command, const ChildEnd& end, const std::string& folder);

// With a GPU a program's own failure is passed on. Without one it failed for want of it, if it failed: always 2.
int no_trace_status(const ChildEnd& end, bool gpu_visible);

}  // namespace syncsniff::launcher
