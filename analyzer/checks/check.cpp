#include "analyzer/checks/check.h"

#include <algorithm>
#include <memory>

#include "analyzer/frequency/gates.h"

namespace syncsniff::checks {

namespace {

constexpr size_t kMaxWrapperDepth = 6;
// Call paths that are followed from one API call through one wrapper. A dozen wrappers that call each other have 12^6
// paths, of which all but the shortest lead to no further place.
constexpr int kMostWaysThrough = 16;

Located located_through(const Program& program, Site at, std::vector<Site> inner) {
  Located where;
  where.at = at;
  where.inner = std::move(inner);
  where.api = where.inner.empty() ? at : where.inner.back();
  where.heat = program.heat(at);
  set_contexts(where, program.ways().hottest_calls(at.function));
  return where;
}

// All places from which calls lead to the API call through functions for which `opens` returns true, the nearest first.
std::vector<Located> expand(const Program& program, const Opens& opens, Site api) {
  struct Way {
    Site at;
    std::vector<Site> inner;
  };
  std::vector<Located> out;
  std::map<int, int> ways_through;
  std::deque<Way> ways{{api, {}}};
  for (; !ways.empty(); ways.pop_front()) {
    Way& way = ways.front();
    const int f = way.at.function;
    if (!opens(f) || way.inner.size() >= kMaxWrapperDepth) {
      out.push_back(located_through(program, way.at, std::move(way.inner)));
      continue;
    }
    if (++ways_through[f] > kMostWaysThrough) continue;
    std::vector<Site> deeper{way.at};
    deeper.insert(deeper.end(), way.inner.begin(), way.inner.end());
    bool is_callback = false;
    for (const Site& caller : program.callers(f)) {
      if (program.callbacks().runs_callback(caller, f))
        is_callback = true;
      else
        ways.push_back({caller, deeper});
    }
    // The function that runs a callback also runs other callbacks, so the finding is reported inside the callback
    // itself.
    if (is_callback) out.push_back(located_through(program, way.at, std::move(way.inner)));
  }
  return out;
}

}  // namespace

Location to_location(const facts::Place& p) { return {p.file, p.line, p.column, p.end_line, p.end_column}; }

std::string often(const Heat& heat) {
  if (heat.by == Heat::By::kEachCall)
    return "at each call of '" + *heat.called + "', whose callers are outside the checked code";
  if (heat.by == Heat::By::kRecursion) return "each time that '" + *heat.called + "' calls itself";
  if (heat.severity != Severity::kHigh) return "in a loop that launches GPU work";
  return heat.condition ? "in a loop that launches GPU work, whenever a condition holds"
                        : "in every iteration of a loop that launches GPU work";
}

void set_contexts(Located& where, std::vector<Site> calls) {
  if (!where.inner.empty()) {
    calls.push_back(where.at);
    calls.insert(calls.end(), where.inner.begin(), where.inner.end() - 1);
  }
  where.contexts = std::make_shared<std::deque<program::Context>>();
  for (const Site& call : calls) {
    where.contexts->push_back({call, where.contexts->empty() ? nullptr : &where.contexts->back()});
  }
}

void pass_wrappers(const Program& program, Located& where) {
  if (where.inner.empty()) return;
  std::vector<Site> calls;
  for (const program::Context* context = where.context(); context; context = context->outer)
    calls.push_back(context->call);
  std::reverse(calls.begin(), calls.end());
  calls.resize(calls.size() - std::min(calls.size(), where.inner.size()));  // up to the call of the outermost wrapper
  calls.push_back(where.at);
  for (const Site& s : where.inner) {
    program.descent().pass_resumption(where.heat, calls.back(), s.function);
    if (program.graph().excludes(calls, s.function, program.event(s).region))
      where.heat.drop("the call's arguments turn it off", program.event(s).place);
    calls.push_back(s);
    where.heat = program.descent().descend(where.heat, s.function, program.wrappers().region_of(s));
    frequency::pass_wrapper(where.heat, program.function(s.function), program.words());
  }
}

Located located_at(Site site, const Heat& heat, int region) {
  Located where;
  where.at = where.api = site;
  where.heat = heat;
  where.region = region;
  where.contexts = std::make_shared<std::deque<program::Context>>();
  return where;
}

std::vector<Located> locate(const Program& program, Site api) {
  return expand(program, [&](int function) { return program.wrappers().is_wrapper(function); }, api);
}

std::vector<Located> hot_calls(const Program& program, const Test& test) {
  return hot_calls(program, test, [&](int function) { return program.wrappers().is_wrapper(function); });
}

std::vector<Site> calls(const Program& program, const Test& test) {
  std::vector<Site> out;
  for (const auto& [site, fact] : program.code().api_calls()) {
    if (test(program.event(site), *fact)) out.push_back(site);
  }
  return out;
}

std::vector<Located> hot_calls(const Program& program, const Test& test, const Opens& opens) {
  std::vector<Located> out;
  for (const Site& call : calls(program, test)) {
    if (program.wrappers().is_other_way(call)) continue;
    // Most calls are cold and in no wrapper; their call paths are not computed.
    if (!opens(call.function)) {
      const Heat heat = program.heat(call);
      if (!heat.hot || heat.dropped) continue;
    }
    for (Located& where : expand(program, opens, call)) {
      if (!where.heat.hot || where.heat.dropped) continue;
      pass_wrappers(program, where);
      if (!where.heat.dropped) out.push_back(std::move(where));
    }
  }
  return out;
}

}  // namespace syncsniff::checks
