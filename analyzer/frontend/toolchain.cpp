#include <clang/Basic/Version.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "analyzer/frontend/command.h"
#include "rules/api_facts.h"

namespace syncsniff::frontend {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code none;
  return fs::exists(path, none);
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// The folder that contains `include`, in the layouts in use: /usr/local/cuda, and targets/ of conda and the SDK.
std::string root_below(const fs::path& top) {
  if (top.empty()) return "";
  for (const char* inner : {"", "targets/x86_64-linux", "targets/sbsa-linux", "targets/aarch64-linux"})
    if (is_there(top / inner / "include/cuda_runtime.h")) return (top / inner).lexically_normal().string();
  return "";
}

std::string root_of_nvcc_on_path() {
  const std::string path = environment("PATH");
  for (size_t start = 0; start <= path.size();) {
    const size_t end = std::min(path.find(':', start), path.size());
    const fs::path nvcc = fs::path(path.substr(start, end - start)) / "nvcc";
    std::error_code none;
    if (is_there(nvcc)) {
      for (const fs::path& one : {nvcc, fs::canonical(nvcc, none)})
        if (const std::string root = root_below(one.parent_path().parent_path()); !root.empty()) return root;
    }
    start = end + 1;
  }
  return "";
}

}  // namespace

std::string find_cuda_root() {
  for (const char* name : {"CUDA_HOME", "CUDA_PATH", "CUDAToolkit_ROOT"})
    if (std::string root = root_below(environment(name)); !root.empty()) return root;
  if (std::string root = root_of_nvcc_on_path(); !root.empty()) return root;
  for (const std::string& top : {std::string("/usr/local/cuda"), std::string("/opt/cuda"), environment("CONDA_PREFIX"),
                                 std::string("/usr/lib/cuda"), std::string("/usr")})
    if (std::string root = root_below(top); !root.empty()) return root;
  return "";
}

// Clang finds its builtin headers from the path of its own program; this is another program, so it uses that of Clang's
// library.
std::string find_resource_directory() {
  std::vector<fs::path> candidates;
  if (const std::string forced = environment("SYNCSNIFF_CLANG_RESOURCE_DIR"); !forced.empty())
    candidates.emplace_back(forced);
  const std::string version = CLANG_VERSION_MAJOR_STRING;
  Dl_info library{};
  using ClangFunction = std::string (*)();
  const ClangFunction inside_clang = &clang::getClangFullVersion;
  if (dladdr(reinterpret_cast<void*>(inside_clang), &library) && library.dli_fname) {
    std::error_code none;
    const fs::path folder = fs::path(library.dli_fname).parent_path();
    candidates.push_back(folder / "clang" / version);
    candidates.push_back(folder / ("../llvm-" + version + "/lib/clang/" + version));
    candidates.push_back(folder / ("../lib/clang/" + version));
  }
  candidates.emplace_back("/usr/lib/llvm-" + version + "/lib/clang/" + version);
  candidates.emplace_back("/usr/lib/clang/" + version);
  candidates.emplace_back(SYNCSNIFF_CLANG_RESOURCE_DIR);
  for (const fs::path& candidate : candidates)
    if (is_there(candidate / "include/stddef.h")) return candidate.lexically_normal().string();
  throw std::runtime_error("Clang " + version + "'s builtin headers were not found (looked in " +
                           candidates.front().string() + " and elsewhere); install libclang-common-" + version +
                           "-dev or set SYNCSNIFF_CLANG_RESOURCE_DIR");
}

Toolchain find_toolchain() {
  Toolchain toolchain;
  toolchain.cuda_root = find_cuda_root();
  toolchain.resource_dir = find_resource_directory();
  toolchain.data_directory = data_directory();
  return toolchain;
}

}  // namespace syncsniff::frontend
