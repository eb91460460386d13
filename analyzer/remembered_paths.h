// Resolves paths for lists that name few files many times, since resolving one asks the file system for each folder
// above it.
#pragma once

#include <string>
#include <unordered_map>

namespace syncsniff {

class RememberedPaths {
 public:
  using Resolve = std::string (*)(const std::string& path);
  explicit RememberedPaths(Resolve resolve) : resolve_(resolve) {}

  // The result of `resolve`, which is called once for each path. Valid as long as this object.
  const std::string& of(const std::string& path) {
    const auto [known, fresh] = resolved_.try_emplace(path);
    if (fresh) known->second = resolve_(path);
    return known->second;
  }

 private:
  Resolve resolve_;
  std::unordered_map<std::string, std::string> resolved_;
};

}  // namespace syncsniff
