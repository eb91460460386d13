#include "analyzer/program/filling.h"

#include <algorithm>

#include "analyzer/program/element_share.h"
#include "analyzer/program/regions.h"

namespace syncsniff::program {

namespace {

// Example: glutDisplayFunc(render), and only the library's main loop calls render().
bool hands_out_launches(const Linked& linked) {
  for (int f = 0; f < linked.code.count(); ++f)
    if (linked.outside.is_taken(f) && linked.graph.callers(f).empty() && linked.effects.of_region(f, 0).launches)
      return true;
  return false;
}

}  // namespace

Filling::Filling(const Linked& linked, const Loops& loops, const ElementShare& share, const std::vector<Heat>& heat_in)
    : code_(linked.code),
      graph_(linked.graph),
      effects_(linked.effects),
      learning_(linked.learning),
      loops_(loops),
      share_(share),
      heat_in_(heat_in),
      outside_(linked.outside),
      adding_(linked.code, linked.graph, linked.effects, true),
      has_callbacks_(hands_out_launches(linked)) {}

// Whether some launch in the loop works on data that does not depend on the loop variable, so that it repeats the same
// work.
bool Filling::repeats(int function, int region) const {
  const Function& f = code_.function(function);
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    const Event& event = f.events[e];
    if (!code_.inside(f, event.region, region) || !effects_.of({function, e}).launches) continue;
    const auto& varies = event.loops.varies_with;
    if (std::find(varies.begin(), varies.end(), region) != varies.end() || passes_index(event, region)) return false;
  }
  return true;
}

// Whether the loop updates what its next iteration starts from, as training does.
bool Filling::is_training_loop(int function, int region) const {
  if (!loops_.feeding.is_feeding_loop(function, region) || loops_.setup.is_brief(function, region)) return false;
  return learning_.learns_around(function, region) || repeats(function, region) || share_.goes_on(function, region);
}

// Whether the function contains such a loop, directly or through calls.
bool Filling::holds_training_loop(int function) const {
  const auto [known, fresh] = training_.try_emplace(function, false);  // false while a recursive function is read
  if (!fresh) return known->second;
  const Function& f = code_.function(function);
  bool holds = false;
  for (int r = 0; r < static_cast<int>(f.regions.size()) && !holds; ++r) holds = is_training_loop(function, r);
  for (int e = 0; e < static_cast<int>(f.events.size()) && !holds; ++e) {
    if (!effects_.of({function, e}).launches) continue;
    const std::vector<int>& to = graph_.callees({function, e});
    holds = std::any_of(to.begin(), to.end(), [&](int callee) { return holds_training_loop(callee); });
  }
  return training_[function] = holds;
}

// Whether the event calls code of unknown source, in which a main loop may run the program's callbacks.
bool Filling::may_run_callbacks(Site site) const {
  return has_callbacks_ && outside_.is_outside_call(site) && code_.api(code_.event(site)) == nullptr;
}

// What the function runs after the event at `site`.
Filling::Later Filling::runs_behind(Site site) const {
  const Function& f = code_.function(site.function);
  Later later = Later::kNothing;
  for (int e = site.event + 1; e < static_cast<int>(f.events.size()); ++e) {
    if (heat_in_[site.function].from_main && may_run_callbacks({site.function, e})) later = Later::kCallbacks;
    if (!effects_.of({site.function, e}).launches) continue;
    for (int r = f.events[e].region; r >= 0; r = f.regions[r].parent) {
      if (!code_.inside(f, code_.event(site).region, r) && is_training_loop(site.function, r)) return Later::kTraining;
    }
    const std::vector<int>& to = graph_.callees({site.function, e});
    if (std::any_of(to.begin(), to.end(), [&](int callee) { return holds_training_loop(callee); }))
      return Later::kTraining;
  }
  return later;
}

Filling::Later Filling::fills_before(int function, int region) const {
  const auto [known, fresh] = fills_before_.try_emplace({function, region}, Later::kNothing);
  if (!fresh) return known->second;
  const Function& f = code_.function(function);
  if (f.regions[region].kind != Region::Kind::kLoop) return Later::kNothing;
  const bool adds = adding_.adds_objects(function, region) && !share_.goes_on_besides_last(function, region);
  if (!adds && !share_.keeps_apart(function, region)) return Later::kNothing;
  int last = -1;
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    if (code_.inside(f, f.events[e].region, region)) last = e;
  }
  Site at{function, last};
  Later later = Later::kNothing;
  for (int depth = 0; at.function >= 0 && at.event >= 0 && depth < 64 && later != Later::kTraining; ++depth) {
    if (const Later behind = runs_behind(at); behind != Later::kNothing) later = behind;
    at = heat_in_[at.function].caller;
  }
  return fills_before_[{function, region}] = later;
}

}  // namespace syncsniff::program
