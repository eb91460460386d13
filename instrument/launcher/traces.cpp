#include "instrument/launcher/traces.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "instrument/reader/layout.h"
#include "instrument/reader/mapped_file.h"

namespace syncsniff::launcher {
namespace {

// Number of records in the file; 0 if it cannot be read.
size_t record_count(const std::string& path) {
  try {
    const reader::MappedFile file(path);
    size_t count = 0;
    for (const auto& chunk : reader::parse_layout(file.data(), file.size(), path).chunks) count += chunk.count;
    return count;
  } catch (const std::exception&) {
    return 0;
  }
}

// True for names such as `base`.41 or `base`.41.2.
bool is_sibling(const std::string& name, const std::string& base) {
  if (name.size() <= base.size() + 1 || name.compare(0, base.size() + 1, base + ".") != 0) return false;
  char before = '.';
  for (size_t i = base.size() + 1; i < name.size(); before = name[i++])
    if (std::isdigit(static_cast<unsigned char>(name[i])) == 0 && (name[i] != '.' || before == '.')) return false;
  return before != '.';
}

}  // namespace

std::vector<std::string> find_traces(const std::string& output, const std::vector<std::string>& before) {
  namespace fs = std::filesystem;
  const fs::path path(output);
  const std::string base = path.filename().string();
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path.has_parent_path() ? path.parent_path() : fs::path("."), error)) {
    const std::string name = entry.path().filename().string();
    if (name != base && !is_sibling(name, base)) continue;
    const std::string full = path.has_parent_path() ? (path.parent_path() / name).string() : name;
    if (std::find(before.begin(), before.end(), full) == before.end()) found.push_back(full);
  }
  std::sort(found.begin(), found.end());
  return found;
}

void sort_by_records(std::vector<std::string>& traces) {
  std::vector<std::pair<size_t, std::string>> counted;
  for (const std::string& path : traces) counted.emplace_back(record_count(path), path);
  std::sort(counted.begin(), counted.end(),
            [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  for (size_t i = 0; i < traces.size(); ++i) traces[i] = counted[i].second;
}

bool gpu_present() {
  return access("/dev/nvidiactl", F_OK) == 0 || access("/dev/dxg", F_OK) == 0 || access("/dev/nvmap", F_OK) == 0;
}

bool driver_present() {
  void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (driver != nullptr) dlclose(driver);
  return driver != nullptr;
}

}  // namespace syncsniff::launcher
