// The ways to a hot place: a call of an old function from a new loop makes a new stall at an old line. A way is the
// hottest one to some call, and the hottest from that to the place.
#pragma once

#include <vector>

#include "analyzer/program/approaches.h"
#include "rules/finding.h"

namespace syncsniff::program {

// One way to a hot place: calls, and the heat of the place when it is reached by them.
struct Way {
  std::vector<Site> calls;    // outermost first, from where the program starts as far as that is known
  std::vector<int> ordinals;  // of each call among the hot ones of the same text in functions of the same name
  size_t hot = 0;             // calls[hot] stands in the loop that makes the place hot; calls.size(): the place does
  size_t told = 0;            // calls[told] is the call that this way is listed for; calls.size(): the place itself
  Heat heat;
};

class Ways {
 public:
  Ways(const Linked& linked, const Loops& loops, const Descent& descent, const Hotness& hotness);

  // The calls of the hottest way to a function, outermost first.
  std::vector<Site> hottest_calls(int function) const;
  // The hottest way to a place, whose heat is known, and one for each further call by which the place is hot: together
  // they pass every such call. `region`: of the place's function, where its heat is taken.
  // At most `most` of them. None where the calls' arguments turn the place off on every way.
  std::vector<Way> to(Site place, int region, const Heat& hottest, size_t most) const;
  const Approaches& approaches() const { return approaches_; }

  // path.cpp
  // From the hot loop to the place, for people. `calls` as in Way.
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

// calls[...] is where the way gets hot, seen from a place in `function`; calls.size(): the place itself is.
size_t hot_call_of(const std::vector<Site>& calls, int function, const Heat& heat);

}  // namespace syncsniff::program
