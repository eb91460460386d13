// The Pythons of this machine: the system's, and those of a version manager.
#pragma once

#include <glob.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace syncsniff::tests {

inline std::vector<std::string> interpreters() {
  std::vector<std::string> found;
  const char* home = std::getenv("HOME");
  const std::string managed = std::string(home != nullptr ? home : "/nonexistent") + "/.pyenv/versions/*/bin/python3";
  for (const std::string& pattern : {std::string("/usr/bin/python3"), std::string("/usr/local/bin/python3"), managed}) {
    glob_t matches{};
    if (glob(pattern.c_str(), 0, nullptr, &matches) == 0)
      for (size_t i = 0; i < matches.gl_pathc; ++i) found.emplace_back(matches.gl_pathv[i]);
    globfree(&matches);
  }
  return found;
}

}  // namespace syncsniff::tests
