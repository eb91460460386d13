#include "analyzer/program/ways.h"

#include <algorithm>
#include <set>
#include <span>

namespace syncsniff::program {

namespace {

constexpr size_t kMostWaysTried = 2048;  // paths tried for one place

// Whether the path passes a function twice from the hot loop on. A layer that calls another layer's virtual forward()
// may, as far as the source shows, call its own; but whatever that reaches, the first call of forward() has already
// reached.
bool goes_round(const Way& way, int function) {
  std::set<int> entered{function};
  return std::any_of(way.calls.begin() + static_cast<long>(way.hot), way.calls.end(),
                     [&](const Site& call) { return !entered.insert(call.function).second; });
}

}  // namespace

Ways::Ways(const Linked& linked, const Loops& loops, const Descent& descent, const Hotness& hotness)
    : code_(linked.code),
      graph_(linked.graph),
      outside_(linked.outside),
      loops_(loops),
      descent_(descent),
      hotness_(hotness),
      approaches_(linked, descent, hotness) {}

size_t hot_call_of(const std::vector<Site>& calls, int function, const Heat& heat) {
  if (function == heat.loop_function) return calls.size();
  for (size_t i = calls.size(); i-- > 0;) {
    if (calls[i].function == heat.loop_function) return i;
  }
  return 0;
}

std::vector<Site> Ways::hottest_calls(int function) const {
  std::vector<Site> calls;
  Site handed_by;  // a callback runs for the call that passes it, not for every call of the function that runs it
  for (int guard = 0; guard < Approaches::kMostCallsDeep; ++guard) {
    const bool handed = handed_by.function >= 0;
    const Site caller = handed ? handed_by : hotness_.hottest_caller(function);
    if (caller.function < 0) break;
    handed_by = handed ? Site{} : hotness_.heat_in(function).handed_by;
    calls.push_back(caller);
    function = caller.function;
  }
  std::reverse(calls.begin(), calls.end());
  return calls;
}

// Whether the arguments of a call on the path, from the hot loop on, exclude the next call or the place; or all calls
// of the loop's function exclude the first call in it, or the place itself.
bool Ways::excluded(const Way& way, int function, int region) const {
  const Site* next = way.hot < way.calls.size() ? &way.calls[way.hot] : nullptr;
  if (every_caller_excludes(next ? next->function : function, next ? code_.event(*next).region : region)) return true;
  for (size_t i = way.hot; i < way.calls.size(); ++i) {
    const bool last = i + 1 == way.calls.size();
    if (graph_.excludes(std::span(way.calls).first(i + 1), last ? function : way.calls[i + 1].function,
                        last ? region : code_.event(way.calls[i + 1]).region))
      return true;
  }
  return false;
}

bool Ways::every_caller_excludes(int function, int region) const {
  const std::vector<Site>& calls = graph_.callers(function);
  return !outside_.is_taken(function) && !calls.empty() &&
         std::all_of(calls.begin(), calls.end(), [&](Site call) { return graph_.excludes(call, function, region); });
}

Heat Ways::heat_along(const std::vector<Site>& calls, size_t from, int function, int region) const {
  Heat heat = hotness_.heat_in(calls[from].function);
  for (size_t i = from; i < calls.size(); ++i) {
    heat = descent_.descend(heat, calls[i].function, code_.event(calls[i]).region);
    heat.depth += 1;
    heat.caller = calls[i];
    const int callee = i + 1 < calls.size() ? calls[i + 1].function : function;
    descent_.pass_resumption(heat, calls[i], callee);
    descent_.pass_function_name(heat, callee);
  }
  return hotness_.settle(descent_.descend(heat, function, region));
}

std::vector<Way> Ways::to(Site place, int region, const Heat& hottest, size_t most) const {
  const Approach& known = approaches_.to(place.function, region);
  std::vector<Way> out;
  std::set<Site> passed;
  const auto add = [&](Way way) {
    for (const Site& call : way.calls) {
      const auto ordinal = known.ordinals.find(call);
      way.ordinals.push_back(ordinal == known.ordinals.end() ? 0 : ordinal->second);
    }
    passed.insert(way.calls.begin() + static_cast<long>(way.hot), way.calls.end());
    out.push_back(std::move(way));
  };
  Way first{hottest_calls(place.function), {}, 0, 0, hottest};
  first.listed_call = first.hot = hot_call_of(first.calls, place.function, hottest);
  const bool never = excluded(first, place.function, region);
  const Site listed_call = !never && first.listed_call < first.calls.size() ? first.calls[first.listed_call] : Site{};
  if (!never) add(std::move(first));
  size_t tried = 0;
  for (const Site& call : known.hot_calls) {
    if (out.size() >= most || tried == kMostWaysTried) break;
    // A call in the hot loop itself gets a path of its own, even if another path contains it.
    if (call == listed_call || (passed.count(call) && !known.in_loop.count(call))) continue;
    ++tried;
    Way way{hottest_calls(call.function), {}, 0, 0, {}};
    way.listed_call = way.calls.size();
    if (!known.lead_on(call, place.function, way.calls)) continue;
    way.heat = heat_along(way.calls, way.listed_call, place.function, region);
    way.hot = hot_call_of(way.calls, place.function, way.heat);
    // If an inner loop makes the place hot, it is hot whoever calls it, so this call adds nothing.
    if (!way.heat.hot || way.heat.dropped || way.hot > way.listed_call) continue;
    if (goes_round(way, place.function) || excluded(way, place.function, region)) continue;
    add(std::move(way));
  }
  return out;
}

}  // namespace syncsniff::program
