// Code that sets a flag at which a loop ends, in the loop or in a function that it calls: while (!done) { ...; poll();
// }, where poll() has if (key == 'q') { release(); done = true; }. It runs in one iteration of the loop.
#pragma once

#include <map>
#include <set>
#include <utility>

#include "analyzer/program/call_graph.h"

namespace syncsniff::program {

class EndingFlags {
 public:
  EndingFlags(const Code& code, const CallGraph& graph) : code_(code), graph_(graph) {}

  // Whether the loop ends with the iteration in which the region of the function runs.
  bool ends(int loop_function, int loop, int function, int region) const;

 private:
  // A flag, and whether it is set to true.
  using Set = std::pair<std::string, bool>;
  // What every path through the loop that sets it leaves: flags that no code in the loop sets back.
  const std::set<Set>& ending(int loop_function, int loop) const;
  std::set<int> called_in(int loop_function, int loop) const;

  const Code& code_;
  const CallGraph& graph_;
  mutable std::map<std::pair<int, int>, std::set<Set>> ending_;  // by loop: queried for every place in it
};

}  // namespace syncsniff::program
