// The order in which headers are found: the user's folders, CUDA's own, and ours for what this machine lacks.
// Keeps a project's own cuda.h from standing in for CUDA's.
#pragma once

#include <string>
#include <vector>

#include "analyzer/frontend/host_options.h"

namespace syncsniff::frontend {

// True when the folder is a CUDA toolkit's include folder.
bool holds_cuda_headers(const std::string& directory);

// Include options in their final order. `cuda_include` empty: no toolkit, and `fallback` stands in for it.
// `before_user`: CUDA's headers are needed by our forced include (a .cu unit); otherwise they come last.
std::vector<std::string> order_includes(const std::vector<IncludeDirectory>& user, const std::string& cuda_include,
                                        const std::string& headers_directory, bool before_user);

}  // namespace syncsniff::frontend
