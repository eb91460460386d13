#include "analyzer/checks/check.h"

#include <memory>

#include "analyzer/frequency/gates.h"

namespace syncsniff::checks {

namespace {

constexpr int kMaxWrapperDepth = 6;

void expand(const Program& program, const Opens& opens, Site at, std::vector<Site> inner, int depth,
            std::vector<Located>& out) {
  const int f = at.function;
  if (opens(f) && depth < kMaxWrapperDepth) {
    for (const Site& caller : program.callers(f)) {
      std::vector<Site> deeper = inner;
      deeper.insert(deeper.begin(), at);
      expand(program, opens, caller, std::move(deeper), depth + 1, out);
    }
    return;
  }
  Located where;
  where.at = at;
  where.inner = std::move(inner);
  where.api = where.inner.empty() ? at : where.inner.back();
  where.heat = program.heat(at);
  set_contexts(where, program.hottest_calls(f));
  out.push_back(std::move(where));
}

}  // namespace

Location to_location(const facts::Place& p) { return {p.file, p.line, p.column, p.end_line, p.end_column}; }

std::string often(const Heat& heat) {
  if (heat.by == Heat::By::kEachCall) return "at each call of '" + *heat.called + "', which has no caller here";
  if (heat.by == Heat::By::kRecursion) return "each time that '" + *heat.called + "' calls itself";
  return heat.severity == Severity::kHigh ? "in every iteration of a loop that feeds it" : "in a loop that feeds it";
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
  for (const Site& s : where.inner) {
    where.heat = program.descend(where.heat, s.function, program.event(s).region);
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
  std::vector<Located> out;
  expand(
      program, [&](int function) { return program.is_wrapper(function); }, api, {}, 0, out);
  return out;
}

std::vector<Located> hot_calls(const Program& program, const Test& test) {
  return hot_calls(program, test, [&](int function) { return program.is_wrapper(function); });
}

std::vector<Site> calls(const Program& program, const Test& test) {
  std::vector<Site> out;
  for (int f = 0; f < static_cast<int>(program.functions().size()); ++f) {
    const auto& events = program.function(f).events;
    for (int e = 0; e < static_cast<int>(events.size()); ++e) {
      const ApiFact* fact = program.api(events[e]);
      if (fact && test(events[e], *fact)) out.push_back({f, e});
    }
  }
  return out;
}

std::vector<Located> hot_calls(const Program& program, const Test& test, const Opens& opens) {
  std::vector<Located> out;
  for (const Site& call : calls(program, test)) {
    std::vector<Located> all;
    expand(program, opens, call, {}, 0, all);
    for (Located& where : all) {
      if (!where.heat.hot || where.heat.dropped) continue;
      pass_wrappers(program, where);
      if (!where.heat.dropped) out.push_back(std::move(where));
    }
  }
  return out;
}

}  // namespace syncsniff::checks
