// Names of calls as the user wrote them: the runtime's names for the driver's, and short names for those of findings.
#pragma once

#include <string>

namespace syncsniff::report {

// "cuMemcpyHtoDAsync_v2" -> "cudaMemcpyAsync"; an unknown name is returned without its version suffix.
std::string user_spelling(const std::string& driver_name);

// "at::Tensor::item" -> ".item()", "cublasSnrm2_v2" -> "cublasSnrm2"; functions of a namespace keep their whole name.
std::string callee_spelling(const std::string& callee);

}  // namespace syncsniff::report
