// The environment that the watched program gets: the user's own, the shim before everything else preloaded.
#pragma once

#include <string>
#include <vector>

namespace syncsniff::launcher {

// libsyncsniff_shim.so of this build or installation; SYNCSNIFF_SHIM names another. Throws LaunchError.
std::string shim_path();

// Settings for the preloaded library. Paths must be absolute, since the program may change its directory.
struct Recording {
  std::string shim, trace;
  std::string folder;  // where the traces lie while the program runs (trace_folder.h)
  std::string timeline, budget;
  bool full_command_line = false;
};

// `current`: NAME=value words.
std::vector<std::string> program_environment(const std::vector<std::string>& current, const Recording& recording);

std::vector<std::string> current_environment();

}  // namespace syncsniff::launcher
