// Which functions are handed host memory that they copy to the GPU, and host memory that they fill from it, directly
// or through what they call. Asked of functions whose callers are out of sight.
#pragma once

#include <set>
#include <vector>

#include "analyzer/program/call_graph.h"

namespace syncsniff::program {

class HostArguments {
 public:
  HostArguments(const Code& code, const CallGraph& graph);

  // A pointer parameter of the function is the source of a copy to the GPU.
  bool are_uploaded(int function) const { return !uploaded_[function].empty(); }
  // ... the destination of a copy from the GPU.
  bool are_filled(int function) const { return !filled_[function].empty(); }

 private:
  using Parameters = std::vector<std::set<int>>;  // of each function
  bool read_event(const Code& code, const CallGraph& graph, Site site);
  static bool add_parameters(const Function& function, const Value& value, std::set<int>& to);

  Parameters uploaded_, filled_;
};

}  // namespace syncsniff::program
