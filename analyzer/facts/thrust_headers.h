// Which header of Thrust declares a name. Its headers include fewer of each other with every release, so that a program
// for an older one lacks includes. The installed headers themselves say what they declare.
#pragma once

#include <clang/Basic/SourceManager.h>

#include <string>
#include <utility>
#include <vector>

namespace syncsniff::facts {

class ThrustHeaders {
 public:
  // Finds the folder of Thrust by the headers that the unit has included.
  explicit ThrustHeaders(const clang::SourceManager& sources);

  // "<thrust/host_vector.h>" for host_vector; empty if no header declares the name.
  std::string header_of(const std::string& name) const;

 private:
  void read(const std::string& folder, const std::string& prefix);

  std::vector<std::pair<std::string, std::string>> texts_;  // of headers, named below Thrust's folder; no comments
};

}  // namespace syncsniff::facts
