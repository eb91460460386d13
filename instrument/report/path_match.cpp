#include "instrument/report/path_match.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace syncsniff::report {
namespace {

std::vector<std::string_view> components(std::string_view path) {
  std::vector<std::string_view> parts;
  for (size_t at = 0; at < path.size();) {
    const size_t end = std::min(path.find('/', at), path.size());
    const std::string_view part = path.substr(at, end - at);
    at = end + 1;
    if (part.empty() || part == ".") continue;
    if (part == ".." && !parts.empty() && parts.back() != "..")
      parts.pop_back();
    else
      parts.push_back(part);
  }
  return parts;
}

}  // namespace

std::string last_component(const std::string& path) { return path.substr(path.rfind('/') + 1); }

int common_suffix(const std::string& a, const std::string& b) {
  const auto left = components(a), right = components(b);
  int shared = 0;
  for (auto l = left.rbegin(), r = right.rbegin(); l != left.rend() && r != right.rend() && *l == *r; ++l, ++r)
    ++shared;
  return shared;
}

}  // namespace syncsniff::report
