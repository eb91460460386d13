#include "analyzer/frontend/include_paths.h"

#include <algorithm>
#include <filesystem>

namespace syncsniff::frontend {
namespace {

bool exists(const std::string& path) {
  std::error_code none;
  return std::filesystem::exists(path, none);
}

// Whether the folder contains a header that our forced include or CUDA's own headers include with angle brackets.
bool shadows_cuda(const std::string& directory) {
  for (const char* name : {"cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "driver_types.h", "vector_types.h",
                           "host_defines.h", "host_config.h", "builtin_types.h", "math_functions.h",
                           "common_functions.h", "device_functions.h", "library_types.h", "cuda_fp16.h"})
    if (exists(directory + "/" + name)) return true;
  return false;
}

void add(std::vector<std::string>& out, const std::string& option, const std::string& path) {
  out.push_back(option);
  out.push_back(path);
}

}  // namespace

bool holds_cuda_headers(const std::string& directory) {
  return exists(directory + "/cuda_runtime.h") && exists(directory + "/crt/host_config.h");
}

std::vector<std::string> order_includes(const std::vector<IncludeDirectory>& user, const std::string& cuda_include,
                                        const std::string& headers_directory, bool before_user) {
  const std::string toolkit = cuda_include.empty() ? headers_directory + "/fallback" : cuda_include;
  std::vector<std::string> quotes, others;
  bool shadowed = false;
  for (const IncludeDirectory& directory : user) {
    add(others, directory.option, directory.path);
    if (!before_user || directory.option != "-I" || holds_cuda_headers(directory.path) || !shadows_cuda(directory.path))
      continue;
    // With quotes the project's header is still found first; with angle brackets CUDA's, as its own headers need.
    add(quotes, "-iquote", directory.path);
    shadowed = true;
  }
  // Distributions install CUDA into /usr/include. Named before the C++ library's folder, it would break that library's
  // #include_next.
  const bool found_anyway = toolkit == "/usr/include";
  const bool first = before_user && !shadowed && !found_anyway;
  std::vector<std::string> out = std::move(quotes);
  if (shadowed && !found_anyway) add(out, "-I", toolkit);
  if (first) add(out, "-isystem", toolkit);
  out.insert(out.end(), others.begin(), others.end());
  if (!before_user && !found_anyway) add(out, "-idirafter", toolkit);
  const std::string libraries = headers_directory + "/libraries";
  if (cuda_include.empty()) {
    // Without a toolkit, a stray cublas_v2.h in another folder would not agree with our runtime types.
    add(out, before_user ? "-isystem" : "-idirafter", libraries);
  } else {
    add(out, before_user ? "-isystem" : "-idirafter", cuda_include + "/cccl");
    add(out, "-idirafter", libraries);
  }
  add(out, "-idirafter", headers_directory + "/standins");
  return out;
}

}  // namespace syncsniff::frontend
