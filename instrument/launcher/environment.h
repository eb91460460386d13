// The environment that the watched program gets: the user's own, the shim before everything else preloaded.
#pragma once

#include <string>
#include <vector>

namespace syncsniff::launcher {

// libsyncsniff_shim.so of this build or installation; SYNCSNIFF_SHIM names another. Throws LaunchError.
std::string shim_path();

// `current`: NAME=value words. `trace` must be absolute: the program may change its directory.
std::vector<std::string> program_environment(const std::vector<std::string>& current, const std::string& shim,
                                             const std::string& trace, const std::string& timeline);

std::vector<std::string> current_environment();

}  // namespace syncsniff::launcher
