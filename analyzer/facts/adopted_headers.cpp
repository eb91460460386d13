#include "analyzer/facts/adopted_headers.h"

#include <filesystem>
#include <map>
#include <set>

#include "analyzer/facts/include_search.h"

namespace syncsniff::facts {

namespace fs = std::filesystem;

namespace {

constexpr size_t kMostLibraryHeaders = 300;
constexpr uint64_t kMostLibraryBytes = 4 << 20;

std::string canonical_path(const fs::path& path) {
  std::error_code error;
  return fs::weakly_canonical(path, error).string();
}

// The namespaces of C++ libraries that the tables describe; their include folders have the same names.
std::set<std::string> described_libraries(const ApiTable& apis) {
  std::set<std::string> names;
  for (const ApiFact& fact : apis.all()) {
    const size_t end = fact.name.find("::");
    if (end != std::string::npos) names.insert(fact.name.substr(0, end));
  }
  names.erase("cuda");  // many libraries have a folder of that name
  names.erase("std");
  return names;
}

class Adoption {
 public:
  Adoption(const frontend::UnitCommand& command, const ApiTable& apis) : described_(described_libraries(apis)) {
    for (const std::string& folder : IncludeSearch(command).folders()) folders_.push_back(canonical_path(folder) + "/");
  }

  // Empty: the header is not to be read.
  std::string folder_of(const std::string& header) const {
    std::string include;
    for (const std::string& folder : folders_)
      if (header.starts_with(folder) && folder.size() > include.size()) include = folder;
    if (include.empty()) return fs::path(header).parent_path().string() + "/";
    std::error_code error;
    if (fs::exists(include + "cuda_runtime_api.h", error)) return {};
    for (const std::string& name : described_)
      if (fs::is_directory(include + name, error)) return {};
    const size_t end = header.find('/', include.size());
    return end == std::string::npos ? include : header.substr(0, end + 1);
  }

 private:
  std::vector<std::string> folders_;  // canonical, with a '/' at their end
  const std::set<std::string> described_;
};

}  // namespace

bool may_be_adopted(std::string_view path, std::string_view text) {
  if (path.starts_with("/usr/")) return false;
  for (const char* sign : {"<<<", "cudaMemcpy", "cudaLaunchKernel", "cudaStreamSynchronize", "cudaDeviceSynchronize"})
    if (text.find(sign) != std::string_view::npos) return true;
  return false;
}

GpuLibraries gpu_libraries(const FileLog& log, const frontend::UnitCommand& command, const ProjectFiles& project,
                           const ApiTable& apis) {
  const std::string unit = canonical_path(fs::path(command.directory) / command.file);
  std::set<std::string> headers;
  for (const std::string& file : log.with_gpu_work()) {
    if (project.contains(file)) continue;
    const std::string path = canonical_path(file);
    if (path != unit && !path.starts_with("/usr/")) headers.insert(path);
  }
  if (headers.empty()) return {};
  const Adoption adoption(command, apis);
  std::set<std::string> folders;
  for (const std::string& header : headers) folders.insert(adoption.folder_of(header));
  folders.erase("");
  if (folders.empty()) return {};
  std::map<std::string, UnreadLibrary> read;
  for (const UnitInputs::File& file : log.inputs().read) {
    const std::string path = canonical_path(file.path);
    for (const std::string& folder : folders) {
      if (!path.starts_with(folder)) continue;
      ++read[folder].headers;
      read[folder].bytes += file.size;
    }
  }
  GpuLibraries out;
  for (const std::string& folder : folders) {
    UnreadLibrary& library = read[folder];
    library.folder = folder;
    if (library.headers > kMostLibraryHeaders || library.bytes > kMostLibraryBytes)
      out.too_large.push_back(library);
    else
      out.to_read.push_back(folder);
  }
  return out;
}

}  // namespace syncsniff::facts
