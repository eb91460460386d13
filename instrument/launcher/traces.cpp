#include "instrument/launcher/traces.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "instrument/reader/layout.h"
#include "instrument/reader/mapped_file.h"

namespace syncsniff::launcher {
namespace {

// Records in the file; 0 where it cannot be read, so that it comes last and its error is still told.
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

bool is_sibling(const std::string& name, const std::string& base) {
  if (name.size() <= base.size() + 1 || name.compare(0, base.size() + 1, base + ".") != 0) return false;
  return std::all_of(name.begin() + static_cast<std::ptrdiff_t>(base.size()) + 1, name.end(),
                     [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::vector<std::string> find_traces(const std::string& output, const std::vector<std::string>& before) {
  namespace fs = std::filesystem;
  const fs::path path(output);
  const std::string base = path.filename().string();
  std::vector<std::pair<size_t, std::string>> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path.has_parent_path() ? path.parent_path() : fs::path("."), error)) {
    const std::string name = entry.path().filename().string();
    if (name != base && !is_sibling(name, base)) continue;
    const std::string full = path.has_parent_path() ? (path.parent_path() / name).string() : name;
    if (std::find(before.begin(), before.end(), full) != before.end()) continue;
    found.emplace_back(record_count(full), full);
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  std::vector<std::string> traces;
  for (auto& [count, name] : found) traces.push_back(std::move(name));
  return traces;
}

bool gpu_present() {
  return access("/dev/nvidiactl", F_OK) == 0 || access("/dev/dxg", F_OK) == 0 || access("/dev/nvmap", F_OK) == 0;
}

}  // namespace syncsniff::launcher
