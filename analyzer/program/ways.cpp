// The ways to a hot place: a call of an old function from a new loop makes a new stall at an old line. Ways are many
// more than calls, so that one way is kept for each call: the hottest way to it, and the hottest from it to the place.
#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

#include "analyzer/program/program.h"

namespace syncsniff::program {

namespace {

constexpr int kMostCallsDeep = 64;
constexpr size_t kMostFunctions = 2000;  // that lead to one place
constexpr size_t kMostCalls = 500'000;   // looked at in one program; beyond, a place has its hottest way alone
constexpr size_t kMostWaysTried = 2048;  // for one place

// Where the way gets hot, seen from the place.
size_t hot_call_of(const std::vector<Site>& calls, int function, const Heat& heat) {
  if (function == heat.loop_function) return calls.size();
  for (size_t i = calls.size(); i-- > 0;) {
    if (calls[i].function == heat.loop_function) return i;
  }
  return 0;
}

// From the hot loop on, the way comes through one function twice. A layer that calls another layer's virtual forward()
// may call its own, as far as anyone can tell; what that reaches, the first call of forward() has reached already.
bool goes_round(const Way& way, int function) {
  std::set<int> entered{function};
  return std::any_of(way.calls.begin() + static_cast<long>(way.hot), way.calls.end(),
                     [&](const Site& call) { return !entered.insert(call.function).second; });
}

}  // namespace

// Of a function: the calls that lead to it, directly or through others.
struct Program::Approach {
  // What a call leads into: the function it calls or, where it hands over a callback, the callback and the call that
  // runs it, which stands in the called function.
  struct Lead {
    int function;
    Site inside;  // function -1: the call calls `function` itself
  };
  std::map<int, Site> next;      // function -> its call that leads on, by the hottest way
  std::map<Site, Lead> into;     // of each call that leads on
  std::vector<Site> hot_calls;   // those in the hot loop first, then the deeper ones
  std::map<Site, int> ordinals;  // see Way
  std::set<Site> in_loop;        // hot calls that stand in the hot loop itself
};

std::vector<Site> Program::hottest_calls(int function) const {
  std::vector<Site> calls;
  Site handed_by;  // a callback runs where it was handed over, not in every call of the function that runs it
  for (int guard = 0; guard < kMostCallsDeep; ++guard) {
    const bool handed = handed_by.function >= 0;
    const Site caller = handed ? handed_by : hottest_caller(function);
    if (caller.function < 0) break;
    handed_by = handed ? Site{} : heat_in_[function].handed_by;
    calls.push_back(caller);
    function = caller.function;
  }
  std::reverse(calls.begin(), calls.end());
  return calls;
}

// The same whatever the call leads to, and asked for by all that it leads to.
const Program::CallHeat& Program::call_heat(Site call) const {
  const auto [known, fresh] = call_heats_.try_emplace(call);
  if (!fresh) return known->second;
  CallHeat& out = known->second;
  Heat always;
  always.reached = always.hot = true;
  always = descend(always, call.function, code_.event(call).region);
  out.lost = static_cast<int>(Severity::kHigh) - static_cast<int>(always.dropped ? Severity::kInfo : always.severity);
  const Heat at = heat(call);
  out.hot = at.hot && !at.dropped;
  out.in_loop = at.loop_function == call.function;
  out.depth = at.depth;
  return out;
}

// A call below the hot loop excludes what the way goes on to.
bool Program::excluded(const Way& way, int function, int region) const {
  for (size_t i = way.hot; i < way.calls.size(); ++i) {
    const bool last = i + 1 == way.calls.size();
    if (graph_.excludes(way.calls[i], last ? function : way.calls[i + 1].function,
                        last ? region : code_.event(way.calls[i + 1]).region))
      return true;
  }
  return false;
}

bool Program::every_caller_excludes(int function, int region) const {
  const std::vector<Site>& calls = graph_.callers(function);
  return !taken_[function] && !calls.empty() &&
         std::all_of(calls.begin(), calls.end(), [&](Site call) { return graph_.excludes(call, function, region); });
}

// Regions that ask nothing of a parameter are reached in the same ways.
const Program::Approach& Program::approach(int function, int region) const {
  while (region >= 0 && code_.function(function).regions[region].test.parameter < 0)
    region = code_.function(function).regions[region].parent;
  std::shared_ptr<Approach>& known = approaches_[{function, region}];
  if (!known) known = find_approach(function, region);
  return *known;
}

bool Program::may_approach(size_t more) const { return calls_approached_ + more <= kMostCalls; }

// From the place upward, the hottest and then the shortest way first.
std::shared_ptr<Program::Approach> Program::find_approach(int function, int region) const {
  auto found = std::make_shared<Approach>();
  using Rank = std::tuple<int, int>;  // what conditions took, calls to the place
  std::map<int, Rank> best{{function, {0, 0}}};
  std::set<std::pair<Rank, int>> open{{{0, 0}, function}};
  for (size_t done = 0; !open.empty() && done < kMostFunctions; ++done) {
    const auto [rank, callee] = *open.begin();
    open.erase(open.begin());
    const auto take = [&](Site call, Approach::Lead lead) {
      found->into.emplace(call, lead);
      int lost = std::max(std::get<0>(rank), call_heat(call).lost);
      if (lead.inside.function >= 0) lost = std::max(lost, call_heat(lead.inside).lost);
      const Rank through{lost, std::get<1>(rank) + 1};
      const auto [known, fresh] = best.emplace(call.function, through);
      if (!fresh && known->second <= through) return;
      open.erase({known->second, call.function});
      known->second = through;
      found->next[call.function] = call;
      open.insert({through, call.function});
    };
    const auto on = found->next.find(callee);
    const int leads_on = callee == function || on == found->next.end() ? region : code_.event(on->second).region;
    for (const Site& call : graph_.callers(callee)) {
      if (leads_on >= 0 && graph_.excludes(call, callee, leads_on)) continue;
      const std::vector<Site>& handing = calls_handing_over(call, callee);
      calls_approached_ += 1 + handing.size();
      if (calls_approached_ > kMostCalls) return std::make_shared<Approach>();
      if (handing.empty()) take(call, {callee, {}});
      for (const Site& by : handing) take(by, {callee, call});
    }
  }
  find_hot_calls(*found);
  return found;
}

void Program::find_hot_calls(Approach& approach) const {
  using Place = std::tuple<std::string_view, unsigned, unsigned>;
  const auto place_of = [&](Site s) {
    return Place{code_.event(s).place.file, code_.event(s).place.line, code_.event(s).place.column};
  };
  std::vector<std::tuple<int, Place, Site>> hot;  // depth, place
  for (const auto& [call, callee] : approach.into) {
    const CallHeat& at = call_heat(call);
    if (!at.hot) continue;
    if (at.in_loop) approach.in_loop.insert(call);
    hot.emplace_back(at.in_loop ? 0 : at.depth + 1, place_of(call), call);
  }
  std::sort(hot.begin(), hot.end());
  for (const auto& [depth, place, call] : hot) approach.hot_calls.push_back(call);
  std::map<std::pair<std::string_view, std::string_view>, std::vector<std::pair<Place, Site>>> alike;
  for (const Site& call : approach.hot_calls)
    alike[{function(call.function).name, code_.event(call).text}].emplace_back(place_of(call), call);
  for (auto& [key, calls] : alike) {
    std::sort(calls.begin(), calls.end());
    for (size_t i = 0; i < calls.size(); ++i) approach.ordinals[calls[i].second] = static_cast<int>(i);
  }
}

Heat Program::heat_along(const std::vector<Site>& calls, size_t from, int function, int region) const {
  Heat heat = heat_in_[calls[from].function];
  for (size_t i = from; i < calls.size(); ++i) {
    heat = descend(heat, calls[i].function, code_.event(calls[i]).region);
    heat.depth += 1;
    heat.caller = calls[i];
    pass_function_name(heat, i + 1 < calls.size() ? calls[i + 1].function : function);
  }
  return settle(descend(heat, function, region));
}

// Adds `call`, and the hottest way from it to a call of `function`.
bool Program::lead_on(const Approach& known, Site call, int function, std::vector<Site>& calls) {
  for (int guard = 0; guard < kMostCallsDeep; ++guard) {
    calls.push_back(call);
    const Approach::Lead& lead = known.into.at(call);
    if (lead.inside.function >= 0) calls.push_back(lead.inside);
    if (lead.function == function) return true;
    const auto next = known.next.find(lead.function);
    if (next == known.next.end()) return false;
    call = next->second;
  }
  return false;
}

std::vector<Way> Program::ways(Site place, int region, const Heat& hottest, size_t most) const {
  const Approach& known = approach(place.function, region);
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
  first.told = first.hot = hot_call_of(first.calls, place.function, hottest);
  const bool within = hottest.loop_function == place.function;
  const bool never = within ? every_caller_excludes(place.function, region) : excluded(first, place.function, region);
  const Site told = !never && first.told < first.calls.size() ? first.calls[first.told] : Site{};
  if (!never) add(std::move(first));
  size_t tried = 0;
  for (const Site& call : known.hot_calls) {
    if (out.size() >= most || tried == kMostWaysTried) break;
    // One in the loop itself is told whatever other way passes it.
    if (call == told || (passed.count(call) && !known.in_loop.count(call))) continue;
    ++tried;
    Way way{hottest_calls(call.function), {}, 0, 0, {}};
    way.told = way.calls.size();
    if (!lead_on(known, call, place.function, way.calls)) continue;
    way.heat = heat_along(way.calls, way.told, place.function, region);
    way.hot = hot_call_of(way.calls, place.function, way.heat);
    // Behind a loop further in, the place is hot whoever calls.
    if (!way.heat.hot || way.heat.dropped || way.hot > way.told) continue;
    if (goes_round(way, place.function) || excluded(way, place.function, region)) continue;
    add(std::move(way));
  }
  return out;
}

std::vector<PathStep> Program::path(Site site, const Heat& heat) const {
  return path(site, hottest_calls(site.function), heat);
}

std::vector<PathStep> Program::path(Site site, const std::vector<Site>& all, const Heat& heat) const {
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
  // Loops further in run more often than the outermost one: a reader should see them.
  const auto add_inner_loops = [&](int function, int region) {
    std::vector<int> loops;
    for (int r = region; r >= 0; r = code_.function(function).regions[r].parent) {
      if (function == heat.loop_function && r == heat.loop_region) break;
      if (code_.function(function).regions[r].kind == Region::Kind::kLoop && region_launches_[function][r])
        loops.push_back(r);
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
