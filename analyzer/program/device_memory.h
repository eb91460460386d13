// Who makes GPU memory, keeps it and gives it back: what tells set-up from training.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/program/call_graph.h"
#include "analyzer/program/flows.h"

namespace syncsniff::program {

// Memory of the driver; a pool's costs nothing, and is taken and given back each step.
bool makes_memory(const ApiFact* fact);
bool ends_memory(const ApiFact* fact);
// What `event` makes, and the variables that it is kept in.
void add_made(const Event& event, std::set<std::string>& made);
// Of the pointers that a call is handed: any, and all, point to what was made.
std::pair<bool, bool> works_on(const Event& event, const std::set<std::string>& made);

// Events that fill newly allocated memory which their function returns: an initial upload. Not where a caller frees
// that memory again: there the function computes a temporary result.
std::set<Site> find_fills(const Code& code, const Flows& flows, const CallGraph& graph);

// Of each function, directly or through calls: whether it allocates GPU memory, frees some, keeps some in a field.
class MemoryMakers {
 public:
  MemoryMakers(const Code& code, const CallGraph& graph);

  bool makes(int function) const { return makes_[function]; }
  bool ends(int function) const { return ends_[function]; }
  bool keeps(int function) const { return keeps_[function]; }

 private:
  bool read_event(const Code& code, const CallGraph& graph, Site site);
  bool keeps_memory(const Code& code, const CallGraph& graph, Site site) const;

  std::vector<bool> makes_, ends_, keeps_;
};

}  // namespace syncsniff::program
