// Finds functions that get host memory as argument and copy it to the GPU, or fill it from the GPU, directly or through
// calls. Used for functions with callers of unknown source.
#pragma once

#include <set>
#include <vector>

#include "analyzer/program/call_graph.h"

namespace syncsniff::program {

class HostArguments {
 public:
  HostArguments(const Code& code, const CallGraph& graph);

  // Whether a pointer parameter of the function is the source of a copy to the GPU.
  bool are_uploaded(int function) const { return !uploaded_[function].empty(); }
  // Whether one is the destination of a copy from the GPU.
  bool are_filled(int function) const { return !filled_[function].empty(); }

 private:
  using Parameters = std::vector<std::set<int>>;  // by function
  bool read_event(const Code& code, const CallGraph& graph, Site site);
  static bool add_parameters(const Function& function, const Value& value, std::set<int>& to);

  Parameters uploaded_, filled_;
};

}  // namespace syncsniff::program
