// The order in which include folders are searched: the user's, CUDA's own, and ours for what this machine lacks.
// Ensures that a project's own cuda.h is not taken for CUDA's.
#pragma once

#include <string>
#include <vector>

#include "analyzer/frontend/host_options.h"

namespace syncsniff::frontend {

// True when the folder is a CUDA toolkit's include folder.
bool holds_cuda_headers(const std::string& directory);

// Include options in their final order. `cuda_include` empty: no toolkit, and `fallback` replaces it. `before_user`:
// our forced include needs CUDA's headers (a .cu unit); otherwise they come last.
std::vector<std::string> order_includes(const std::vector<IncludeDirectory>& user, const std::string& cuda_include,
                                        const std::string& headers_directory, bool before_user);

}  // namespace syncsniff::frontend
