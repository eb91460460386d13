// Which functions code out of sight may call, and which nothing leads to: in units that no main() reaches although one
// of them feeds the GPU, the latter are left-overs, which may never run.
#pragma once

#include <string_view>
#include <vector>

#include "analyzer/program/call_graph.h"
#include "analyzer/program/flows.h"

namespace syncsniff::program {

// Of a class's fields and of namespaces, and behind the caller's pointers: what is there after the call, too.
bool outlives_call(std::string_view node);

class OutsideCallers {
 public:
  OutsideCallers(const Code& code, const Flows& flows, const CallGraph& graph);

  // A callback: its address is kept somewhere, or handed to code that is not in sight.
  bool is_taken(int function) const { return taken_[function]; }
  // A lambda, a callback, an overrider of a framework's method and what other languages call have callers out of sight.
  bool nobody_calls(int function) const;

 private:
  const Code& code_;
  const CallGraph& graph_;
  std::vector<bool> taken_;
};

}  // namespace syncsniff::program
