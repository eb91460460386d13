#include "analyzer/program/call_graph.h"

#include <algorithm>

#include "analyzer/facts/sums.h"
#include "analyzer/facts/words.h"

namespace syncsniff::program {

CallGraph::CallGraph(const Code& code) : code_(code), callees_(code.count()), callers_(code.count()) {
  Overriders overriders;
  for (int f = 0; f < code.count(); ++f) {
    for (const facts::Text base : code.function(f).overrides) overriders[base].push_back(f);
    if (code.function(f).resumed_loop >= 0) overriders[code.function(f).resumed_as].push_back(f);
  }
  for (int f = 0; f < code.count(); ++f) {
    callees_[f].resize(code.function(f).events.size());
    for (int e = 0; e < static_cast<int>(code.function(f).events.size()); ++e) {
      const Event& event = code.event({f, e});
      if (event.kind != Event::Kind::kCall || event.callee.id.empty()) continue;
      if (int callee = code.find(event.callee.id); callee >= 0) add({f, e}, callee);
      if (event.callee.is_virtual) add_overriders({f, e}, overriders);
    }
  }
}

void CallGraph::add_overriders(Site call, const Overriders& overriders) {
  std::vector<facts::Text> bases{code_.event(call).callee.id};
  for (size_t i = 0; i < bases.size() && i < 64; ++i) {
    auto found = overriders.find(bases[i]);
    if (found == overriders.end()) continue;
    for (int callee : found->second) {
      add(call, callee);
      bases.push_back(code_.function(callee).usr);
    }
  }
}

void CallGraph::add(Site call, int callee) {
  std::vector<int>& to = callees_[call.function][call.event];
  if (std::find(to.begin(), to.end(), callee) != to.end()) return;
  to.push_back(callee);
  callers_[callee].push_back(call);
}

// Whether the event calls the function by its name, so that argument k is for parameter k.
bool CallGraph::constructs(Site call) const {
  const std::vector<int>& run = callees(call);
  return !run.empty() && std::ranges::all_of(run, [&](int f) { return is_constructor(code_.function(f)); });
}

bool CallGraph::names(Site call, int callee) const {
  const Event& event = code_.event(call);
  const std::vector<int>& to = callees(call);
  return event.kind == Event::Kind::kCall && !event.callee.indirect &&
         std::find(to.begin(), to.end(), callee) != to.end();
}

// The value that the last of the calls passes to `callee` for its parameter `index`.
CallGraph::Given CallGraph::given(std::span<const Site> calls, int callee, size_t index) const {
  for (; !calls.empty(); calls = calls.first(calls.size() - 1)) {
    if (!names(calls.back(), callee)) break;
    const Event& call = code_.event(calls.back());
    if (index < call.args.size() && call.args[index].constant != facts::kNotConstant)
      return {call.args[index].constant};
    if (index >= call.arg_sums.size()) break;
    const facts::Sum& sum = call.arg_sums[index];  // also for default arguments
    if (facts::is_constant(sum)) return {facts::constant_part(sum)};
    const int handed_on = facts::parameter_in(sum);
    if (handed_on < 0) return {.computed = true};
    index = static_cast<size_t>(handed_on);
    callee = calls.back().function;
  }
  return {};
}

// The field's constant value while the destructor of a variable runs, and the methods that it calls, if nothing has
// changed the field since the variable was constructed.
long long CallGraph::left_in(std::span<const Site> calls, const facts::Text& field) const {
  for (; !calls.empty(); calls = calls.first(calls.size() - 1)) {
    const Event& call = code_.event(calls.back());
    for (const facts::FieldValue& left : call.left)
      if (left.field == field) return left.value;
    const bool of_this = !call.launched_on.empty() && facts::text_of(call.launched_on.front()) == facts::kThisSymbol;
    if (!of_this && !facts::names_destructor(call.callee.name)) break;
  }
  return facts::kNotConstant;
}

bool CallGraph::fails(std::span<const Site> calls, int callee, const facts::ParameterTest& test) const {
  if (test.parameter < 0) {
    const long long value = left_in(calls, test.field);
    return value != facts::kNotConstant && !test.passes(value);
  }
  const auto index = static_cast<size_t>(test.parameter);
  const bool is_given = index < code_.event(calls.back()).args.size();
  const Given value = is_given ? given(calls, callee, index) : Given{test.left_out};
  if (value.constant != facts::kNotConstant) return !test.passes(value.constant);
  return value.computed && test.pointer && test.holds && null_is_a_sign(callee, index);
}

bool CallGraph::excludes(std::span<const Site> calls, int callee, int region) const {
  if (!names(calls.back(), callee)) return false;
  const Function& f = code_.function(callee);
  for (int r = region; r >= 0; r = f.regions[r].parent) {
    const bool cannot_run = std::ranges::any_of(f.regions[r].tests, [&](const facts::ParameterTests& tests) {
      return std::ranges::all_of(tests.any,
                                 [&](const facts::ParameterTest& test) { return fails(calls, callee, test); });
    });
    if (cannot_run) return true;
  }
  return false;
}

// Whether some call passes a literal NULL for the parameter, as in release = f(NULL). Only then do calls that pass a
// computed pointer count as not NULL.
bool CallGraph::null_is_a_sign(int callee, size_t index) const {
  return std::any_of(callers_[callee].begin(), callers_[callee].end(), [&](const Site& call) {
    const Event& event = code_.event(call);
    return names(call, callee) && index < event.args.size() && event.args[index].constant == 0;
  });
}

std::vector<bool> CallGraph::with_callers(std::vector<bool> functions) const {
  std::vector<int> work;
  for (int f = 0; f < static_cast<int>(functions.size()); ++f) {
    if (functions[f]) work.push_back(f);
  }
  while (!work.empty()) {
    const int callee = work.back();
    work.pop_back();
    for (const Site& call : callers_[callee]) {
      if (functions[call.function]) continue;
      functions[call.function] = true;
      work.push_back(call.function);
    }
  }
  return functions;
}

std::vector<bool> CallGraph::functions_reaching(const std::function<bool(const Event&)>& test) const {
  std::vector<bool> hold(code_.count());
  for (int f = 0; f < code_.count(); ++f) {
    const auto& events = code_.function(f).events;
    hold[f] = std::any_of(events.begin(), events.end(), test);
  }
  return with_callers(std::move(hold));
}

}  // namespace syncsniff::program
