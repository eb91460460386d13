#include "analyzer/program/approaches.h"

#include <algorithm>
#include <string_view>
#include <tuple>

namespace syncsniff::program {

namespace {

constexpr size_t kMostApproaches = 2000;  // functions that lead to one place
constexpr size_t kMostCalls = 500'000;  // calls examined in one program; after that, a place has only its hottest path

// The region in which the function calls the next one on the hottest path; `otherwise` if it calls none.
int region_left(const Approach& found, const Code& code, int function, int otherwise) {
  const auto on = found.next.find(function);
  return on == found.next.end() ? otherwise : code.event(on->second).region;
}

}  // namespace

bool Approach::lead_on(Site call, int function, std::vector<Site>& calls) const {
  for (int guard = 0; guard < Approaches::kMostCallsDeep; ++guard) {
    calls.push_back(call);
    const Lead& lead = into.at(call);
    if (lead.inside.function >= 0) calls.push_back(lead.inside);
    if (lead.function == function) return true;
    const auto on = next.find(lead.function);
    if (on == next.end()) return false;
    call = on->second;
  }
  return false;
}

// Depends only on the call, not on where it leads, so it is cached for all places that the call leads to.
const Approaches::CallHeat& Approaches::call_heat(Site call) const {
  const auto [known, fresh] = call_heats_.try_emplace(call);
  if (!fresh) return known->second;
  CallHeat& out = known->second;
  Heat always;
  always.reached = always.hot = true;
  always = descent_.descend(always, call.function, code_.event(call).region);
  out.lost = static_cast<int>(Severity::kHigh) - static_cast<int>(always.dropped ? Severity::kInfo : always.severity);
  const Heat at = hotness_.heat(call);
  out.hot = at.hot && !at.dropped;
  out.in_loop = at.loop_function == call.function;
  out.depth = at.depth;
  return out;
}

// Regions without a condition on a parameter have the same paths as the region around them.
const Approach& Approaches::to(int function, int region) const {
  while (region >= 0 && code_.function(function).regions[region].tests.empty())
    region = code_.function(function).regions[region].parent;
  std::shared_ptr<Approach>& known = approaches_[{function, region}];
  if (!known) known = find(function, region);
  return *known;
}

bool Approaches::may_approach(size_t more) const { return calls_approached_ + more <= kMostCalls; }

// A shortest-path search from the place to its callers: the hottest path first, then the shortest.
std::shared_ptr<Approach> Approaches::find(int function, int region) const {
  auto found = std::make_shared<Approach>();
  using Rank = std::tuple<int, int>;  // severity levels lost to conditions, number of calls to the place
  std::map<int, Rank> best{{function, {0, 0}}};
  std::set<std::pair<Rank, int>> open{{{0, 0}, function}};
  const auto lost_inside = [&](const Approach::Lead& lead) {
    return lead.inside.function >= 0 ? call_heat(lead.inside).lost : 0;
  };
  for (size_t done = 0; !open.empty() && done < kMostApproaches; ++done) {
    const auto [rank, callee] = *open.begin();
    open.erase(open.begin());
    const auto take = [&](Site call, Approach::Lead lead) {
      found->into.emplace(call, lead);
      const int lost = std::max({std::get<0>(rank), call_heat(call).lost, lost_inside(lead)});
      const Rank through{lost, std::get<1>(rank) + 1};
      const auto [known, fresh] = best.emplace(call.function, through);
      if (!fresh && known->second <= through) return;
      open.erase({known->second, call.function});
      known->second = through;
      found->next[call.function] = call;
      open.insert({through, call.function});
    };
    const int leads_on = callee == function ? region : region_left(*found, code_, callee, region);
    for (const Site& call : graph_.callers(callee)) {
      if (leads_on >= 0 && graph_.excludes(call, callee, leads_on)) continue;
      const std::vector<Site>& handing = callbacks_.calls_handing_over(call, callee);
      calls_approached_ += 1 + handing.size();
      if (calls_approached_ > kMostCalls) return std::make_shared<Approach>();
      if (handing.empty()) take(call, {callee, {}});
      for (const Site& by : handing) take(by, {callee, call});
    }
  }
  find_hot_calls(*found);
  return found;
}

void Approaches::find_hot_calls(Approach& approach) const {
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
  std::map<std::pair<std::string, std::string_view>, std::vector<std::pair<Place, Site>>> alike;
  for (const Site& call : approach.hot_calls)
    alike[{code_.name_without_lines(call.function), code_.event(call).text}].emplace_back(place_of(call), call);
  for (auto& [key, calls] : alike) {
    std::sort(calls.begin(), calls.end());
    for (size_t i = 0; i < calls.size(); ++i) approach.ordinals[calls[i].second] = static_cast<int>(i);
  }
}

}  // namespace syncsniff::program
