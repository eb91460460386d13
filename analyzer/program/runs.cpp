#include "analyzer/program/runs.h"

#include "analyzer/program/regions.h"

namespace syncsniff::program {

// What runs once per so many iterations of an inner loop costs almost nothing.
constexpr long kManyRounds = 1000;

Runs::Runs(const Code& code, const CallGraph& graph, const FeedingLoops& feeding, const Epochs& epochs)
    : code_(code), feeding_(feeding), epochs_(epochs), holds_(code.count()) {
  std::vector<bool> runs(code.count());  // by function: it contains a solver's loop, directly or through calls
  std::vector<int> work;
  const auto mark = [&](int f, int region) {
    const auto& regions = code.function(f).regions;
    if (is_off_or_once(code.function(f), region)) return;
    for (int r = region; r >= 0 && !holds_[f][r]; r = regions[r].parent) holds_[f][r] = true;
    if (!runs[f]) work.push_back(f);
    runs[f] = true;
  };
  for (int f = 0; f < code.count(); ++f) holds_[f].assign(code.function(f).regions.size(), false);
  for (int f = 0; f < code.count(); ++f) {
    for (int r = 1; r < static_cast<int>(code.function(f).regions.size()); ++r) {
      if (goes_on(f, r)) mark(f, code.function(f).regions[r].parent);
    }
  }
  while (!work.empty()) {
    const int f = work.back();
    work.pop_back();
    for (const Site& caller : graph.callers(f)) mark(caller.function, code.event(caller).region);
  }
}

bool Runs::goes_on(int function, int region) const {
  const Region& loop = code_.function(function).regions[region];
  return (loop.forever || loop.trips >= kManyRounds) && feeding_.is_feeding_loop(function, region);
}

}  // namespace syncsniff::program
