#include "instrument/report/spelling.h"

#include <cctype>
#include <string_view>
#include <utility>

namespace syncsniff::report {
namespace {

// Compared with the beginning of the driver's name without suffixes; the first match counts.
constexpr std::pair<std::string_view, std::string_view> kRuntimeNames[] = {
    {"cuCtxSynchronize", "cudaDeviceSynchronize"},
    {"cuStreamSynchronize", "cudaStreamSynchronize"},
    {"cuStreamQuery", "cudaStreamQuery"},
    {"cuStreamWaitEvent", "cudaStreamWaitEvent"},
    {"cuEventSynchronize", "cudaEventSynchronize"},
    {"cuEventQuery", "cudaEventQuery"},
    {"cuMemcpyPeerAsync", "cudaMemcpyPeerAsync"},
    {"cuMemcpyPeer", "cudaMemcpyPeer"},
    {"cuMemcpy2DAsync", "cudaMemcpy2DAsync"},
    {"cuMemcpy2D", "cudaMemcpy2D"},
    {"cuMemcpy3DAsync", "cudaMemcpy3DAsync"},
    {"cuMemcpy3D", "cudaMemcpy3D"},
    {"cuMemcpyHtoDAsync", "cudaMemcpyAsync"},
    {"cuMemcpyDtoHAsync", "cudaMemcpyAsync"},
    {"cuMemcpyDtoDAsync", "cudaMemcpyAsync"},
    {"cuMemcpyAsync", "cudaMemcpyAsync"},
    {"cuMemcpyHtoD", "cudaMemcpy"},
    {"cuMemcpyDtoH", "cudaMemcpy"},
    {"cuMemcpyDtoD", "cudaMemcpy"},
    {"cuMemcpy", "cudaMemcpy"},
    {"cuMemsetD", "cudaMemset"},
    {"cuMemAllocAsync", "cudaMallocAsync"},
    {"cuMemAllocFromPoolAsync", "cudaMallocFromPoolAsync"},
    {"cuMemAllocManaged", "cudaMallocManaged"},
    {"cuMemAllocHost", "cudaMallocHost"},
    {"cuMemAllocPitch", "cudaMallocPitch"},
    {"cuMemAlloc", "cudaMalloc"},
    {"cuMemHostAlloc", "cudaHostAlloc"},
    {"cuMemHostRegister", "cudaHostRegister"},
    {"cuMemHostUnregister", "cudaHostUnregister"},
    {"cuMemFreeAsync", "cudaFreeAsync"},
    {"cuMemFreeHost", "cudaFreeHost"},
    {"cuMemFree", "cudaFree"},
    {"cuLaunchCooperativeKernel", "cooperative launch"},
    {"cuLaunchKernel", "kernel launch"},
    {"cuGraphLaunch", "cudaGraphLaunch"},
    {"cuLaunchHostFunc", "cudaLaunchHostFunc"},
    {"cuLibraryLoad", "loading kernels"},
    {"cuModuleLoad", "loading kernels"},
    {"cuKernelGetFunction", "loading kernels"},
};

std::string_view without_suffixes(std::string_view name) {
  for (std::string_view suffix : {"_ptsz", "_ptds", "_v2", "_v3", "_v4"})
    if (name.size() > suffix.size() && name.substr(name.size() - suffix.size()) == suffix)
      return without_suffixes(name.substr(0, name.size() - suffix.size()));
  return name;
}

}  // namespace

std::string user_spelling(const std::string& driver_name) {
  const std::string_view bare = without_suffixes(driver_name);
  for (const auto& [driver, runtime] : kRuntimeNames)
    if (bare.substr(0, driver.size()) == driver) return std::string(runtime);
  return std::string(bare);
}

std::string callee_spelling(const std::string& callee) {
  const size_t end = callee.rfind("::");
  if (end == std::string::npos) return std::string(without_suffixes(callee));
  const std::string name = callee.substr(end + 2);
  if (name.substr(0, 8) == "operator") return name;
  // Classes of the C++ libraries begin with a capital letter, their namespaces do not.
  const size_t before = end == 0 ? std::string::npos : callee.rfind("::", end - 1);
  const char first = callee[before == std::string::npos ? 0 : before + 2];
  return std::isupper(static_cast<unsigned char>(first)) != 0 ? "." + name + "()" : callee;
}

}  // namespace syncsniff::report
