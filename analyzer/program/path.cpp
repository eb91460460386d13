// How a place is reached, as findings show it.
#include <algorithm>

#include "analyzer/program/ways.h"

namespace syncsniff::program {

std::vector<PathStep> Ways::path(Site site, const std::vector<Site>& all, const Heat& heat) const {
  std::vector<PathStep> steps;
  const auto location = [](const Place& p) { return Location{p.file, p.line, p.column, p.end_line, p.end_column}; };
  // Calls from the loop's function down to the site's.
  const std::vector<Site> calls(all.begin() + static_cast<long>(hot_call_of(all, site.function, heat)), all.end());
  if (heat.by != Heat::By::kLoop) {
    const bool cycle = heat.by == Heat::By::kRecursion;
    steps.push_back({location(code_.function(heat.loop_function).place),
                     "'" + *heat.called + (cycle ? "' calls itself" : "' is called from outside the checked code") +
                         " and launches GPU work"});
  } else if (heat.loop_region >= 0) {
    const Region& loop = code_.function(heat.loop_function).regions[heat.loop_region];
    steps.push_back(
        {location(loop.place), "this loop in '" + code_.function(heat.loop_function).name + "' launches GPU work"});
  }
  // Inner loops run more often than the outermost one, so the path shows them, too.
  const auto add_inner_loops = [&](int function, int region) {
    std::vector<int> loops;
    for (int r = region; r >= 0; r = code_.function(function).regions[r].parent) {
      if (function == heat.loop_function && r == heat.loop_region) break;
      if (loops_.feeding.is_feeding_loop(function, r)) loops.push_back(r);
    }
    for (auto r = loops.rbegin(); r != loops.rend(); ++r) {
      steps.push_back(
          {location(code_.function(function).regions[*r].place), "inside this loop, which also launches GPU work"});
    }
  };
  for (size_t i = 0; i < calls.size(); ++i) {
    const int callee = i + 1 < calls.size() ? calls[i + 1].function : site.function;
    add_inner_loops(calls[i].function, code_.event(calls[i]).region);
    const std::vector<int>& to = graph_.callees(calls[i]);
    const bool is_called = std::find(to.begin(), to.end(), callee) != to.end();
    steps.push_back({location(code_.event(calls[i]).place),
                     (is_called ? "calls '" : "waits for the thread of '") + code_.function(callee).name + "'"});
  }
  add_inner_loops(site.function, code_.event(site).region);
  return steps;
}

}  // namespace syncsniff::program
