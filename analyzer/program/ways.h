// Call paths ("ways") to a hot place. There is one for each hot call, since a call of an old function from a new loop
// is a new stall at an old line. A way is the hottest path to that call, followed by the hottest path from it to the
// place.
#pragma once

#include <vector>

#include "analyzer/program/approaches.h"
#include "rules/finding.h"

namespace syncsniff::program {

// One call path to a hot place, and the heat of the place on this path.
struct Way {
  std::vector<Site> calls;  // outermost first; begins at the program's entry, as far as it is known
  // For each call: its index among the hot calls with the same text in functions of the same name.
  std::vector<int> ordinals;
  size_t hot = 0;  // calls[hot] is in the hot loop; calls.size(): the place itself is
  size_t listed_call =
      0;  // calls[listed_call] is the call for which this path is listed; calls.size(): the place itself
  Heat heat;
};

class Ways {
 public:
  Ways(const Linked& linked, const Loops& loops, const Descent& descent, const Hotness& hotness);

  // The calls of the hottest way to a function, outermost first.
  std::vector<Site> hottest_calls(int function) const;
  // The hottest path to a place, whose heat is `hottest`, and one for each further call that makes the place hot, so
  // that together they contain every such call. `region`: the region in the place's function whose heat counts. At most
  // `most` paths; none if on every path the arguments of calls exclude the place.
  std::vector<Way> to(Site place, int region, const Heat& hottest, size_t most) const;
  const Approaches& approaches() const { return approaches_; }

  // path.cpp
  // The path from the hot loop to the place, as text for people. `calls` as in Way.
  std::vector<PathStep> path(Site site, const std::vector<Site>& calls, const Heat& heat) const;
  std::vector<PathStep> path(Site site, const Heat& heat) const {
    return path(site, hottest_calls(site.function), heat);
  }

 private:
  bool excluded(const Way& way, int function, int region) const;
  bool every_caller_excludes(int function, int region) const;
  Heat heat_along(const std::vector<Site>& calls, size_t from, int function, int region) const;

  const Code& code_;
  const CallGraph& graph_;
  const OutsideCallers& outside_;
  const Loops& loops_;
  const Descent& descent_;
  const Hotness& hotness_;
  const Approaches approaches_;
};

// The index in `calls` of the call in the hot loop that leads to a place in `function`; calls.size(): the place itself
// is in the loop.
size_t hot_call_of(const std::vector<Site>& calls, int function, const Heat& heat);

}  // namespace syncsniff::program
