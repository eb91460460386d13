// Which functions may be called by code of unknown source, and which are called by nothing. If no main() reaches a unit
// although another program of the project launches GPU work, functions that nothing calls may be dead code.
#pragma once

#include <string_view>
#include <vector>

#include "analyzer/program/call_graph.h"
#include "analyzer/program/flows.h"

namespace syncsniff::program {

// Whether the node still exists after the call: fields, variables of namespaces, and what the caller's pointers point
// to.
bool outlives_call(std::string_view node);

class OutsideCallers {
 public:
  OutsideCallers(const Code& code, const Flows& flows, const CallGraph& graph);

  // Whether the function is a callback: its address is stored somewhere, or passed to code of unknown source.
  bool is_taken(int function) const { return taken_[function]; }
  // Whether the event calls code of unknown source, other than the standard library's.
  bool is_outside_call(Site site) const;
  // Whether nothing calls the function. False for lambdas, callbacks, overriders of a framework's methods and functions
  // with C linkage, which may have callers of unknown source.
  bool nobody_calls(int function) const;

 private:
  const Code& code_;
  const CallGraph& graph_;
  std::vector<bool> taken_;
};

}  // namespace syncsniff::program
