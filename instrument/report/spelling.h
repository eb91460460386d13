// Calls as the user wrote them: the runtime's names for the driver's, and the call that a finding's message names.
#pragma once

#include <string>

namespace syncsniff::report {

// "cuMemcpyHtoDAsync_v2" -> "cudaMemcpyAsync"; an unknown name is returned without its version suffix.
std::string user_spelling(const std::string& driver_name);

// The first CUDA call or member call (".item()") in a message; empty: none.
std::string named_call(const std::string& message);

}  // namespace syncsniff::report
