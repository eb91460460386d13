// How hot each place is. Combines the heat with which its function is entered, the gates and loops around the place,
// and reasons that depend on the whole call path. Built once, then only read.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "analyzer/program/filling.h"
#include "analyzer/program/heat_spread.h"
#include "analyzer/program/later_loops.h"

namespace syncsniff::program {

class Hotness {
 public:
  // `left_over`: see HeatSpread.
  Hotness(const Linked& linked, const Loops& loops, const Descent& descent, const ElementShare& share,
          const HeatSpread& spread, bool left_over);
  Hotness(const Hotness&) = delete;  // its members refer to each other

  Heat heat(int function, int region) const;
  Heat heat(Site site) const { return heat(site.function, code_.event(site).region); }
  // The heat with which the function is entered through its hottest call.
  const Heat& heat_in(int function) const { return heat_in_[function]; }
  // The hottest call of the function; function -1: none.
  Site hottest_caller(int function) const { return heat_in_[function].caller; }
  // Applies the reasons that depend on the whole call path to the heat at the end of that path.
  Heat settle(Heat heat) const;
  // Whether main() reaches a loop that launches GPU work and is not part of a recursion.
  bool main_feeds() const { return main_feeds_; }

 private:
  void settle_filling(Heat& heat, const Place& loop) const;
  void settle_recursion(Heat& heat, const Place& loop) const;
  void settle_between_epochs(Heat& heat, const Place& loop) const;
  void settle_each_call(Heat& heat) const;

  const Linked& linked_;
  const Code& code_;
  const Loops& loops_;
  const Descent& descent_;
  const std::vector<Heat> heat_in_;
  const std::set<int> whole_jobs_;
  const Filling filling_;
  const LaterLoops later_loops_;
  const bool left_over_;
  bool main_feeds_ = false;
  // There are loops outside constructors that launch GPU work and are no set-up.
  bool loops_outside_constructors_ = false;
  mutable std::map<std::pair<int, int>, Heat> heats_;  // by region: queried by every check
};

}  // namespace syncsniff::program
