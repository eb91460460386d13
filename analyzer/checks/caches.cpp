#include "analyzer/checks/caches.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "analyzer/checks/allocations.h"
#include "analyzer/facts/words.h"

namespace syncsniff::checks {

namespace {

// Whether an earlier branch of the function returns a pointer, for example one from a free list, so that the call runs
// only if that branch was not taken.
bool has_returned_before(const Program& program, Site site) {
  const auto& f = program.function(site.function);
  const Event& call = program.event(site);
  for (const auto& [flow, at] : program.flows().returned(site.function)) {
    const bool before = at.order < call.order && at.region != 0 && !program.inside(f, call.region, at.region);
    const Gate gate = f.regions[at.region].gate;
    if (before && flow->value.kind != Value::Kind::kNull && gate != Gate::kError && gate != Gate::kNever) return true;
  }
  return false;
}

bool in_a_replacement(const Program& program, Site site) {
  const auto& f = program.function(site.function);
  for (int r = program.event(site).region; r > 0; r = f.regions[r].parent)
    if (f.regions[r].turns_state) return true;
  return false;
}

// Whether the condition is true only if a container is empty, such as free.empty(), !(free.size() > 0) or the negation
// of `!free.empty()`.
bool holds_where_empty(std::string_view condition) {
  constexpr std::pair<std::string_view, bool> kTests[] = {
      {".empty()", true}, {".size() == 0", true}, {".size() != 0", false}, {".size() > 0", false}, {".size()", false}};
  const bool joined = condition.find_first_of("&|") != std::string_view::npos;
  bool negated = false;
  for (const std::string_view negation : {"not ", "!"}) {
    if (!condition.starts_with(negation)) continue;
    if (joined) return false;
    condition.remove_prefix(negation.size());
    negated = !negated;
  }
  return std::any_of(std::begin(kTests), std::end(kTests),
                     [&](const auto& test) { return condition.ends_with(test.first) && test.second != negated; });
}

// Whether every call of the function creates or replaces an object that was missing.
bool is_for_replacements(const Program& program, int function, int depth = 0) {
  constexpr int kDeepest = 3;
  const auto& callers = program.callers(function);
  if (callers.empty() || depth > kDeepest) return false;
  return std::all_of(callers.begin(), callers.end(), [&](Site call) {
    return in_a_replacement(program, call) || is_for_replacements(program, call.function, depth + 1);
  });
}

}  // namespace

// Whether another implementation of the virtual function that `site` calls caches what it gets from `target`. Example:
// Cached derives from Allocator, and its allocate() calls another Allocator's only if its cache is empty. Then a call
// of Allocator::allocate() is taken for one of the cache: if it called `target` each time, the cache would be of no
// use.
bool Caches::give_instead(Site site, int target) {
  constexpr size_t kMostImplementations = 16;
  const auto& callees = program_.callees(site);
  if (callees.size() < 2 || callees.size() > kMostImplementations || !program_.event(site).callee.is_virtual)
    return false;
  return std::any_of(callees.begin(), callees.end(),
                     [&](int callee) { return callee != target && keeps_what_it_gets(callee, target); });
}

// Whether the function, or another method of its class, calls a method of the target's class only on a cache miss.
// Other methods count, since release() may fill the cache that allocate() uses.
bool Caches::keeps_what_it_gets(int function, int target) {
  const auto &mine = methods_of_class(function), &theirs = methods_of_class(target);
  return std::any_of(mine.begin(), mine.end(), [&](int method) {
    return std::any_of(theirs.begin(), theirs.end(), [&](int other) {
      seen_.clear();
      return asks_on_a_miss(method, other, false, 0);
    });
  });
}

const std::vector<int>& Caches::methods_of_class(int function) {
  const auto class_of = [&](int f) { return std::string(facts::class_part(program_.function(f).name)); };
  if (methods_.empty()) {
    for (int f = 0; f < static_cast<int>(program_.functions().size()); ++f) methods_[class_of(f)].push_back(f);
  }
  return methods_[class_of(function)];
}

bool Caches::asks_on_a_miss(int function, int target, bool missed, int depth) {
  constexpr int kDeepest = 5;
  if (depth > kDeepest || !seen_.insert({function, missed}).second) return false;
  const int count = static_cast<int>(program_.function(function).events.size());
  for (int e = 0; e < count; ++e) {
    const Site call{function, e};
    const auto& callees = program_.callees(call);
    if (callees.empty()) continue;
    const bool now = missed || in_a_replacement(program_, call) || has_returned_before(program_, call);
    const bool asks = std::find(callees.begin(), callees.end(), target) != callees.end();
    if (asks && program_.event(call).callee.is_virtual) {
      if (now) return true;
      continue;
    }
    if (callees.size() == 1 && asks_on_a_miss(callees.front(), target, now, depth + 1)) return true;
  }
  return false;
}

bool Caches::lead_to(const Located& where) {
  std::vector<Site> sites{where.at};
  sites.insert(sites.end(), where.inner.begin(), where.inner.end());
  for (size_t i = 0; i < sites.size(); ++i) {
    if (in_a_replacement(program_, sites[i])) return true;
    if (i + 1 < sites.size() && give_instead(sites[i], sites[i + 1].function)) return true;
  }
  return is_for_replacements(program_, where.at.function);
}

bool only_on_a_miss(const Program& program, const Located& where) {
  std::vector<Site> sites = where.inner;
  sites.push_back(where.at);
  return std::any_of(sites.begin(), sites.end(), [&](Site site) {
    const auto& f = program.function(site.function);
    const Event& call = program.event(site);
    for (int r = call.region; r > 0; r = f.regions[r].parent) {
      if (holds_where_empty(f.regions[r].condition.str())) return true;
    }
    return has_returned_before(program, site);
  });
}

bool evicts_on_a_miss(const Program& program, const Located& where) {
  if (!where.contexts) return false;
  return std::any_of(where.contexts->begin(), where.contexts->end(), [&](const program::Context& context) {
    const auto& events = program.function(context.call.function).events;
    const bool makes_then = std::any_of(events.begin() + context.call.event, events.end(), [&](const Event& event) {
      const ApiFact* fact = program.api(event);
      return fact && makes(event, *fact);
    });
    return makes_then && has_returned_before(program, context.call);
  });
}

}  // namespace syncsniff::checks
