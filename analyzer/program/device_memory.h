// Which functions allocate GPU memory, keep it and free it. This distinguishes set-up from training.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/program/call_graph.h"
#include "analyzer/program/flows.h"

namespace syncsniff::program {

// Whether the call allocates or frees memory through the driver. Memory from a pool does not count: it costs nothing,
// and each step takes and returns it.
bool makes_memory(const ApiFact* fact);
bool ends_memory(const ApiFact* fact);
// Adds the memory that `event` allocates and the variables that hold it.
void add_made(const Event& event, std::set<std::string>& made);
// Whether any, and whether all, of the pointers passed to the call point to memory in `made`.
std::pair<bool, bool> works_on(const Event& event, const std::set<std::string>& made);

// Events that fill newly allocated memory which their function returns: an initial upload. Excluded if a caller frees
// that memory again, since the function then computes a temporary result.
std::set<Site> find_fills(const Code& code, const Flows& flows, const CallGraph& graph);

// For each function, directly or through calls: whether it allocates GPU memory, frees some, or stores some in a field.
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
