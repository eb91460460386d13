#include "analyzer/facts/adopted_headers.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace syncsniff::facts {

namespace fs = std::filesystem;

namespace {

constexpr size_t kMostHeaders = 300;
constexpr uint64_t kMostBytes = 4 << 20;

std::string canonical_path(const fs::path& path) {
  std::error_code error;
  return fs::weakly_canonical(path, error).string();
}

// Canonical, with a '/' at their end.
std::vector<std::string> include_folders(const frontend::UnitCommand& command) {
  std::vector<std::string> folders;
  const std::vector<std::string>& words = command.clang_args;
  for (size_t i = 0; i < words.size(); ++i) {
    std::string folder;
    for (const char* option : {"-I", "-isystem", "-iquote", "-idirafter"}) {
      if (words[i] == option && i + 1 < words.size()) folder = words[i + 1];
    }
    if (folder.empty() && words[i].starts_with("-I") && words[i].size() > 2) folder = words[i].substr(2);
    if (!folder.empty()) folders.push_back(canonical_path(fs::path(command.directory) / folder) + "/");
  }
  return folders;
}

// The namespaces of C++ libraries that the tables describe, which are the names of their folders as well.
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
  Adoption(const frontend::UnitCommand& command, const ApiTable& apis)
      : folders_(include_folders(command)), described_(described_libraries(apis)) {}

  // Empty: not to be read.
  std::string folder_of(const std::string& header) const {
    if (header.starts_with("/usr/")) return {};
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
  const std::vector<std::string> folders_;
  const std::set<std::string> described_;
};

}  // namespace

bool has_gpu_work(std::string_view text) {
  for (const char* sign : {"<<<", "cudaMemcpy", "cudaLaunchKernel", "cudaStreamSynchronize", "cudaDeviceSynchronize"})
    if (text.find(sign) != std::string_view::npos) return true;
  return false;
}

std::vector<std::string> folders_to_adopt(const UnitInputs& inputs, const std::vector<std::string>& with_gpu_work,
                                          const frontend::UnitCommand& command, const ProjectFiles& project,
                                          const ApiTable& apis) {
  const std::string unit = canonical_path(fs::path(command.directory) / command.file);
  std::set<std::string> headers;
  for (const std::string& file : with_gpu_work) {
    const std::string path = canonical_path(file);
    if (path != unit && !path.starts_with("/usr/") && !project.contains(file)) headers.insert(path);
  }
  if (headers.empty()) return {};
  const Adoption adoption(command, apis);
  std::set<std::string> folders;
  for (const std::string& header : headers) folders.insert(adoption.folder_of(header));
  folders.erase("");
  std::vector<std::string> adopted;
  for (const std::string& folder : folders) {
    size_t count = 0;
    uint64_t bytes = 0;
    for (const UnitInputs::File& file : inputs.read) {
      if (!canonical_path(file.path).starts_with(folder)) continue;
      ++count;
      bytes += file.size;
    }
    if (count <= kMostHeaders && bytes <= kMostBytes) adopted.push_back(folder);
  }
  return adopted;
}

}  // namespace syncsniff::facts
