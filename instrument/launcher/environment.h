// The environment of the watched program: the user's own, with the shim preloaded before everything else.
#pragma once

#include <string>
#include <vector>

namespace syncsniff::launcher {

// Path of this build's or installation's libsyncsniff_shim.so, or of the one that SYNCSNIFF_SHIM names. Throws
// LaunchError.
std::string shim_path();

// Settings for the preloaded library. Paths must be absolute, since the program may change its directory.
struct Recording {
  std::string shim, trace;
  std::string folder;  // for the traces while the program runs (trace_folder.h)
  std::string timeline, budget;
  bool full_command_line = false;
};

// `current`: NAME=value words.
std::vector<std::string> program_environment(const std::vector<std::string>& current, const Recording& recording);

std::vector<std::string> current_environment();

}  // namespace syncsniff::launcher
