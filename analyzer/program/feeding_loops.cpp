#include "analyzer/program/feeding_loops.h"

#include "analyzer/program/regions.h"

namespace syncsniff::program {

// Whether a function's result decides that the loop runs only once in the program: if (!init()) return; for (...)
// train(), where init() returns true once.
static bool is_behind_answer(const Function& f, int region) {
  if (f.regions[region].kind != Region::Kind::kLoop) return false;
  bool answered = false;
  for (int r = f.regions[region].parent; r > 0; r = f.regions[r].parent) {
    const Region& around = f.regions[r];
    if (around.kind == Region::Kind::kLoop) return false;
    const bool lazy = around.gate == Gate::kLazy;
    if (lazy && around.question.function.empty()) return false;
    answered |= lazy;
  }
  return answered && !is_off(f, region);
}

FeedingLoops::FeedingLoops(const Code& code, const EffectTable& effects) : code_(code), launches_(code.count()) {
  for (int f = 0; f < code.count(); ++f) {
    for (int r = 0; r < static_cast<int>(code.function(f).regions.size()); ++r) {
      const bool counts = effects.of(f).launches || is_behind_answer(code.function(f), r);
      launches_[f].push_back(counts && effects.of_region(f, r).launches);
    }
  }
}

bool FeedingLoops::any(const std::function<bool(int function, int region)>& test) const {
  for (int f = 0; f < code_.count(); ++f) {
    for (int r = 0; r < static_cast<int>(code_.function(f).regions.size()); ++r) {
      if (is_feeding_loop(f, r) && test(f, r)) return true;
    }
  }
  return false;
}

}  // namespace syncsniff::program
