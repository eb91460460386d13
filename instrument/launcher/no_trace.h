// The message and exit status when a run left no trace: what is known, and what may be the reason.
#pragma once

#include <string>

#include "instrument/launcher/child.h"

namespace syncsniff::launcher {

// One line, without "syncsniff: error: ".
std::string no_trace_line(const std::string& command, const ChildEnd& end, bool gpu_visible);

// The same for a trace that existed: it, or the folder that held it, was removed while the program ran.
std::string removed_trace_line(const std::string& command, const ChildEnd& end, const std::string& folder);

// On a machine with a GPU the program's own failure is passed on. Without one a failure is taken to come from that:
// always 2.
int no_trace_status(const ChildEnd& end, bool gpu_visible);

}  // namespace syncsniff::launcher
