#include "analyzer/program/rounds.h"

#include <algorithm>
#include <string>
#include <vector>

#include "analyzer/facts/places.h"
#include "analyzer/program/regions.h"

namespace syncsniff::program {

namespace {

constexpr long kFewRounds = 20, kTimesMore = 10;

// The variable of a range-for loop is assigned in the loop's head.
bool is_variable_of(const Flows& flows, const std::string& variable, int function, const Region& loop) {
  const std::vector<LinkedFlow>* const assigned = flows.into(variable);
  return assigned && std::any_of(assigned->begin(), assigned->end(), [&](const LinkedFlow& flow) {
           return flow.function == function && facts::is_within(flow.flow->place, loop.place);
         });
}

bool launches_graph(const ApiFact& fact) {
  return !fact.parameters.empty() && fact.enqueued == "kernel" && fact.parameters.front() == "graphExec";
}

}  // namespace

bool Rounds::goes_through_streams(int function, int region) const {
  const Function& f = code_.function(function);
  if (f.regions[region].collection.empty()) return false;
  bool any = false;
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    const Event& event = f.events[e];
    if (!code_.inside(f, event.region, region) || !effects_.of({function, e}).launches) continue;
    const std::string& stream = event.stream.node;  // "*" and the variable, since a handle is a pointer
    if (event.kind != Event::Kind::kLaunch || stream.empty() ||
        !is_variable_of(flows_, stream.substr(1), function, f.regions[region]))
      return false;
    any = true;
  }
  return any;
}

const Rounds::Launched& Rounds::launched_in(int function, int region) const {
  const auto [known, fresh] = launched_.try_emplace({function, region});
  if (!fresh) return known->second;
  const Function& f = code_.function(function);
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e)
    if (code_.inside(f, f.events[e].region, region) && effects_.of({function, e}).launches)
      known->second.insert(f.events[e].callee.id);
  return known->second;
}

// Whether the function launches GPU work in a loop, of its own or in what it calls.
bool Rounds::launches_in_loops(int function) const {
  const auto [known, fresh] = in_loops_.try_emplace(function, true);  // true while a recursive function is read
  if (!fresh) return known->second;
  const Function& f = code_.function(function);
  bool loops = false;
  for (int r = 0; r < static_cast<int>(f.regions.size()) && !loops; ++r) loops = feeding_.is_feeding_loop(function, r);
  for (int e = 0; e < static_cast<int>(f.events.size()) && !loops; ++e) {
    if (!effects_.of({function, e}).launches) continue;
    const std::vector<int>& to = graph_.callees({function, e});
    loops = std::any_of(to.begin(), to.end(), [&](int callee) { return launches_in_loops(callee); });
  }
  return in_loops_[function] = loops;
}

Rounds::WarmUp Rounds::warms_up(int function, int region) const {
  const Function& f = code_.function(function);
  const Region& loop = f.regions[region];
  if (loop.kind != Region::Kind::kLoop || loop.trips <= 0 || loop.trips > kFewRounds ||
      !feeding_.is_feeding_loop(function, region))
    return WarmUp::kNo;
  const Launched& own = launched_in(function, region);
  if (own.count(facts::Text()) != 0) return WarmUp::kNo;  // through a pointer: it is not known what runs
  WarmUp found = WarmUp::kNo;
  for (int r = 0; r < static_cast<int>(f.regions.size()); ++r) {
    const Region& later = f.regions[r];
    if (r == region || !feeding_.is_feeding_loop(function, r)) continue;
    if (code_.inside(f, r, region)) return WarmUp::kNo;
    if (later.parent != loop.parent || later.place.offset <= loop.whole.offset || !later.collection.empty() ||
        later.over_dimension)
      continue;
    const Launched& launched = launched_in(function, r);
    if (!std::includes(launched.begin(), launched.end(), own.begin(), own.end())) continue;
    const bool far_more = later.forever || later.trips >= kTimesMore * loop.trips;
    if (far_more || later.trips == 0) found = std::max(found, far_more ? WarmUp::kFarMore : WarmUp::kMaybe);
  }
  return found == WarmUp::kNo || leads_to_loops(function, region) ? WarmUp::kNo : found;
}

// Whether a call in the region launches GPU work in a loop.
bool Rounds::leads_to_loops(int function, int region) const {
  const Function& f = code_.function(function);
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    if (!code_.inside(f, f.events[e].region, region) || !effects_.of({function, e}).launches) continue;
    const std::vector<int>& to = graph_.callees({function, e});
    if (std::any_of(to.begin(), to.end(), [&](int callee) { return launches_in_loops(callee); })) return true;
  }
  return false;
}

bool Rounds::only_captures(int function, int region) const {
  const Function& f = code_.function(function);
  bool begun = false, ended = false;
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    const Event& event = f.events[e];
    if (!code_.inside(f, event.region, region)) continue;
    const ApiFact* fact = code_.api(event);
    if (fact && launches_graph(*fact)) return false;
    if (fact && fact->capture == "begin") begun |= without_braces(f, event.region) == region;
    if (ended && effects_.of({function, e}).launches) return false;
    if (fact && fact->capture == "end") ended = true;
  }
  return begun && ended;
}

}  // namespace syncsniff::program
