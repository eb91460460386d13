#include "analyzer/program/regions.h"

#include <algorithm>

namespace syncsniff::program {

using facts::Gate;

int innermost_loop(const facts::Function& function, int region) {
  while (region >= 0 && function.regions[region].kind != facts::Region::Kind::kLoop)
    region = function.regions[region].parent;
  return region;
}

int outermost_loop(const facts::Function& function, int region) {
  int outermost = -1;
  for (int loop = innermost_loop(function, region); loop >= 0;
       loop = innermost_loop(function, function.regions[loop].parent))
    outermost = loop;
  return outermost;
}

int without_braces(const facts::Function& function, int region) {
  const auto& regions = function.regions;
  while (region > 0 && regions[region].bare && !regions[regions[region].parent].is_switch)
    region = regions[region].parent;
  return region;
}

bool is_off(const facts::Function& function, int region) {
  for (int r = region; r >= 0; r = function.regions[r].parent) {
    const Gate gate = function.regions[r].gate;
    if (gate == Gate::kError || gate == Gate::kNever || gate == Gate::kOnCpu) return true;
  }
  return false;
}

bool is_off_or_once(const facts::Function& function, int region) {
  for (int r = region; r >= 0; r = function.regions[r].parent) {
    if (function.regions[r].gate == Gate::kLazy) return true;
  }
  return is_off(function, region);
}

bool varies_with(const facts::Event& call, int loop) { return std::ranges::count(call.loops.varies_with, loop) != 0; }

bool passes_index(const facts::Event& call, int loop) {
  for (size_t i = 1; i < call.loops.index_args.size(); i += 2)
    if (call.loops.index_args[i] == loop) return true;
  return false;
}

bool is_label_between(const facts::Function& function, int first, int second) {
  return std::any_of(function.labels.begin(), function.labels.end(),
                     [&](int label) { return first < label && label <= second; });
}

}  // namespace syncsniff::program
