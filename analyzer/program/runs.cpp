// Loops around a solver: each iteration sets up, lets a loop inside go on until it is done, and tears down, as in a
// training for each fold of the data. What the inner loop does again and again is what stalls the GPU.
#include "analyzer/program/program.h"
#include "analyzer/program/regions.h"

namespace syncsniff::program {

// What comes once for so many launches of an inner loop costs next to nothing.
constexpr long kManyRounds = 1000;

// for (;;) { ...; if (converged) break; }: its head names no end, or one far away.
bool Program::goes_on(int function, int region) const {
  const Region& loop = code_.function(function).regions[region];
  const bool long_one = loop.forever || loop.trips >= kManyRounds;
  return loop.kind == Region::Kind::kLoop && long_one && region_launches_[function][region];
}

void Program::find_runs() {
  const int count = code_.count();
  runs_.assign(count, false);
  holds_runs_.assign(count, {});
  std::vector<int> work;
  const auto mark = [&](int f, int region) {
    const auto& regions = code_.function(f).regions;
    if (is_off_or_once(code_.function(f), region)) return;
    for (int r = region; r >= 0 && !holds_runs_[f][r]; r = regions[r].parent) holds_runs_[f][r] = true;
    if (!runs_[f]) work.push_back(f);
    runs_[f] = true;
  };
  for (int f = 0; f < count; ++f) holds_runs_[f].assign(code_.function(f).regions.size(), false);
  for (int f = 0; f < count; ++f) {
    for (int r = 1; r < static_cast<int>(code_.function(f).regions.size()); ++r) {
      if (goes_on(f, r)) mark(f, code_.function(f).regions[r].parent);
    }
  }
  while (!work.empty()) {
    const int f = work.back();
    work.pop_back();
    for (const Site& caller : graph_.callers(f)) mark(caller.function, code_.event(caller).region);
  }
}

// An optimizer that steps in the loop itself makes it the loop over the steps, whatever it holds.
bool Program::is_around_runs(int function, int region) const {
  return holds_runs_[function][region] && !steps_[function][region];
}

}  // namespace syncsniff::program
