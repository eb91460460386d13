#include "analyzer/checks/branches.h"

#include <algorithm>
#include <set>

#include "analyzer/program/regions.h"

namespace syncsniff::checks {

namespace {

constexpr int kMostCallers = 4;

// A value in one function: the result of one of its events, or the content of variables.
struct Fetched {
  int event = -1;
  std::set<std::string> nodes;
  // A function on the way to the caller tests whether the value is finite and returns the answer.
  bool finiteness = false;
};

// "*v" is the memory that v points to; conditions name v itself.
std::string variable_of(const std::string& node) { return node.substr(node.find_first_not_of('*')); }

void add_node(Fetched& value, const std::string& node) {
  if (!node.empty()) value.nodes.insert(variable_of(node));
}

bool depends_on(const facts::ComputedFrom& source, const Fetched& value) {
  const bool result = std::find(source.events.begin(), source.events.end(), value.event) != source.events.end();
  return (result && value.event >= 0) || std::any_of(source.nodes.begin(), source.nodes.end(),
                                                     [&](const std::string& n) { return value.nodes.count(n) != 0; });
}

// Whether the branch decides what the GPU does: it or its alternative enqueues work, or leaves the enclosing loop or
// function.
bool steers(const Program& program, int f, int region) {
  const auto& regions = program.function(f).regions;
  for (int r = 0; r < static_cast<int>(regions.size()); ++r) {
    const bool same_test = regions[r].parent == regions[region].parent && regions[r].kind == Region::Kind::kBranch &&
                           regions[r].place.offset == regions[region].place.offset;
    if (same_test && (regions[r].leaves || program.effects().of_region(f, r).enqueues)) return true;
  }
  return false;
}

// The decision in the function of `fetch` that depends on the value. If a loop reads values back one by one and the
// decision comes after the loop, it depends on their sum; the problem to report is then the many read-backs, not the
// branch.
std::optional<Decision> decision_in(const Program& program, Site fetch, const Fetched& value) {
  const auto& function = program.function(fetch.function);
  const Event& event = program.event(fetch);
  const int loop = program::innermost_loop(function, event.region);
  for (int r = 0; r < static_cast<int>(function.regions.size()); ++r) {
    const Region& region = function.regions[r];
    if (loop >= 0 && !program.inside(function, r, loop)) continue;
    if (!depends_on(region.asks, value)) continue;
    const bool finiteness = region.asks.finiteness || value.finiteness;
    if (region.kind == Region::Kind::kLoop) {
      if (r == loop) return Decision{fetch.function, r, true, finiteness};
      // for (i = 0; i < found; ++i) launch: the value read back decides the number of launches.
      if (region.place.offset > event.place.offset && program.effects().of_region(fetch.function, r).enqueues)
        return Decision{fetch.function, r, false, finiteness};
      continue;
    }
    // A branch before the read-back uses the value of an earlier step.
    if (region.place.offset + region.place.length <= event.place.offset) continue;
    if (!steers(program, fetch.function, r)) continue;
    return Decision{fetch.function, r, region.gate == Gate::kOnce, finiteness};
  }
  return {};
}

// The same value as the calling function sees it: the call's result, or the variable passed to receive the result.
Fetched in_caller(const Program& program, int callee, const Fetched& value, Site call) {
  Fetched out;
  const auto& function = program.function(callee);
  if (depends_on(function.returns, value)) {
    out.event = call.event;
    out.finiteness = value.finiteness || function.returns.finiteness;
  }
  const auto& given = program.event(call).args;
  for (const std::string& node : value.nodes) {
    if (node.rfind("f:", 0) == 0) out.nodes.insert(node);
    const auto param = std::find(function.params.begin(), function.params.end(), node);
    const size_t index = static_cast<size_t>(param - function.params.begin());
    if (param != function.params.end() && index < given.size()) add_node(out, given[index].node);
  }
  return out;
}

}  // namespace

std::optional<Decision> decision_by(const Program& program, const Located& where, int written) {
  std::vector<Site> way{where.at};
  way.insert(way.end(), where.inner.begin(), where.inner.end());
  const Event& api = program.event(where.api);
  Fetched value;
  if (written == kNoArg || written == kReturn)
    value.event = where.api.event;
  else if (written >= 0 && written < static_cast<int>(api.args.size()))
    add_node(value, api.args[written].node);
  // From the inside outward: first through the wrappers around the API call, then to the callers that receive the
  // value.
  Site site = where.api;
  for (int callers = 0; callers <= kMostCallers && (value.event >= 0 || !value.nodes.empty());) {
    if (auto decision = decision_in(program, site, value)) return decision;
    Site caller;
    if (way.size() > 1) {
      way.pop_back();
      caller = way.back();
    } else {
      const bool repeated = program::innermost_loop(program.function(site.function), program.event(site).region) >= 0;
      if (repeated || site.function == where.heat.loop_function) break;
      caller = program.hotness().hottest_caller(site.function);
      ++callers;
    }
    if (caller.function < 0) break;
    value = in_caller(program, site.function, value, caller);
    site = caller;
  }
  return {};
}

std::optional<Decision> decision_by_read(const Program& program, Site read) {
  Fetched value;
  add_node(value, program.event(read).object.node);
  return decision_in(program, read, value);
}

}  // namespace syncsniff::checks
