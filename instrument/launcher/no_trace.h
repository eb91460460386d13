// The message and exit status for a run that left no trace: what is known, and a possible reason.
#pragma once

#include <string>

#include "instrument/launcher/child.h"

namespace syncsniff::launcher {

// One line, without "syncsniff: error: ".
std::string no_trace_line(const std::string& command, const ChildEnd& end, bool gpu_visible);

// The message if a signal ended a program that left a trace, as a shell would print one: the launcher itself exits, so
// the shell does not. Empty: nothing need be said.
std::string signal_line(const std::string& command, const ChildEnd& end);

// The message if there was a trace, but it or its folder was removed while the program ran.
std::string removed_trace_line(const std::string& command, const ChildEnd& end, const std::string& folder);

// With a GPU, the program's own status if it failed, otherwise 2. Without a GPU always 2, since that is taken as the
// cause of any failure.
int no_trace_status(const ChildEnd& end, bool gpu_visible);

}  // namespace syncsniff::launcher
