// How hot each place is: the heat that its function is entered with, its way down to the place, and what only the whole
// way tells. Built once, then only asked.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "analyzer/program/filling.h"
#include "analyzer/program/heat_spread.h"

namespace syncsniff::program {

class Hotness {
 public:
  // `left_over`: see HeatSpread.
  Hotness(const Linked& linked, const Loops& loops, const Descent& descent, const ElementShare& share,
          const HeatSpread& spread, bool left_over);
  Hotness(const Hotness&) = delete;  // its members refer to each other

  Heat heat(int function, int region) const;
  Heat heat(Site site) const { return heat(site.function, code_.event(site).region); }
  // That the function is entered with, by its hottest call.
  const Heat& heat_in(int function) const { return heat_in_[function]; }
  // The call that the function's hottest way in comes through; function -1: none.
  Site hottest_caller(int function) const { return heat_in_[function].caller; }
  // Of the heat that a way down to a place has led to: what only the whole way tells.
  Heat settle(Heat heat) const;
  // Main reaches a loop that launches GPU work and is no recursion's.
  bool main_feeds() const { return main_feeds_; }

 private:
  void settle_each_call(Heat& heat) const;

  const Linked& linked_;
  const Code& code_;
  const Loops& loops_;
  const Descent& descent_;
  const std::vector<Heat> heat_in_;
  const std::set<int> whole_jobs_;
  const Filling filling_;
  const bool left_over_;
  bool main_feeds_ = false;
  bool loops_outside_constructors_ = false;            // that launch GPU work and are no set-up
  mutable std::map<std::pair<int, int>, Heat> heats_;  // of regions, which every check asks for again
};

}  // namespace syncsniff::program
