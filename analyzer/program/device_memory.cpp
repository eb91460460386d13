#include "analyzer/program/device_memory.h"

#include <algorithm>

#include "analyzer/program/regions.h"

namespace syncsniff::program {

static bool is_device_memory(MemoryKind kind) { return kind == MemoryKind::kDevice || kind == MemoryKind::kManaged; }

bool makes_memory(const ApiFact* fact) { return fact && !fact->pooled && is_device_memory(fact->allocates); }
bool ends_memory(const ApiFact* fact) { return fact && is_device_memory(fact->frees); }

void add_made(const Event& event, std::set<std::string>& made) {
  if (!event.into.empty()) made.insert(event.into);
  for (const Value& arg : facts::values(event.args)) {
    if (arg.node.empty()) continue;
    if (arg.kind == Value::Kind::kObject) made.insert(arg.node);
    if (arg.kind == Value::Kind::kNode) made.insert("*" + arg.node.str());  // cudaMalloc(&layers[i]), layers a pointer
  }
}

std::pair<bool, bool> works_on(const Event& event, const std::set<std::string>& made) {
  bool any = false, all = true;
  for (const facts::Argument& argument : event.args) {
    any |= argument.value.kind == Value::Kind::kContent && made.count("*" + argument.value.node.str()) != 0;
    if (argument.value.kind != Value::Kind::kNode || argument.node.empty()) continue;
    const bool own = made.count(argument.value.node) != 0;
    any |= own;
    all &= own;
  }
  return {any, all};
}

// Whether a caller frees the function's result in a loop: float* y = relu(x); ...; cudaFree(y);
static bool is_freed_by_a_caller(const Code& code, const CallGraph& graph, int function) {
  return std::ranges::any_of(graph.callers(function), [&](Site call) {
    const Function& caller = code.function(call.function);
    const std::string& result = code.event(call).into;
    if (result.empty() || innermost_loop(caller, code.event(call).region) < 0) return false;
    return std::any_of(caller.events.begin() + call.event, caller.events.end(), [&](const Event& later) {
      const auto is_result = [&](const Value& value) { return value.node == result; };
      return ends_memory(code.api(later)) && std::ranges::any_of(facts::values(later.args), is_result) &&
             innermost_loop(caller, later.region) == innermost_loop(caller, code.event(call).region);
    });
  });
}

// Example: float* make_array(n) { cudaMalloc(&x, n); fill<<<...>>>(x, n); return x; }
std::set<Site> find_fills(const Code& code, const Flows& flows, const CallGraph& graph) {
  std::set<Site> fills;
  for (int f = 0; f < code.count(); ++f) {
    const auto& events = code.function(f).events;
    const bool ends =
        std::any_of(events.begin(), events.end(), [&](const Event& e) { return ends_memory(code.api(e)); });
    if (ends || flows.returned(f).empty()) continue;
    std::set<std::string> made;
    std::set<Site> first;
    for (int e = 0; e < static_cast<int>(events.size()); ++e) {
      if (makes_memory(code.api(events[e]))) add_made(events[e], made);
      const auto [any, all] = works_on(events[e], made);
      if (any && all && !makes_memory(code.api(events[e]))) first.insert({f, e});
    }
    if (!first.empty() && !is_freed_by_a_caller(code, graph, f)) fills.merge(first);
  }
  return fills;
}

MemoryMakers::MemoryMakers(const Code& code, const CallGraph& graph)
    : makes_(code.count()), ends_(code.count()), keeps_(code.count()) {
  graph.settle_events([&](Site site) { return read_event(code, graph, site); });
}

bool MemoryMakers::read_event(const Code& code, const CallGraph& graph, Site site) {
  const int f = site.function;
  const Event& event = code.event(site);
  if (is_off_or_once(code.function(f), event.region)) return false;
  bool makes = makes_memory(code.api(event)), ends = ends_memory(code.api(event));
  for (int callee : graph.callees(site)) {
    makes |= makes_[callee];
    ends |= ends_[callee];
  }
  const bool keeps = keeps_memory(code, graph, site);
  const bool changed = (makes && !makes_[f]) || (ends && !ends_[f]) || (keeps && !keeps_[f]);
  makes_[f] = makes_[f] || makes;
  ends_[f] = ends_[f] || ends;
  keeps_[f] = keeps_[f] || keeps;
  return changed;
}

// Whether the function stores new device memory and does not free it, directly or through calls: cudaMalloc(&weights_,
// n) without cudaFree(weights_).
bool MemoryMakers::keeps_memory(const Code& code, const CallGraph& graph, Site site) const {
  const Event& event = code.event(site);
  const std::vector<int>& to = graph.callees(site);
  if (std::any_of(to.begin(), to.end(), [&](int c) { return keeps_[c]; })) return true;
  const ApiFact* fact = code.api(event);
  if (!makes_memory(fact) || fact->out_arg < 0 || fact->out_arg >= static_cast<int>(event.args.size())) return false;
  const std::string& node = event.args[fact->out_arg].node;
  if (node.rfind("f:", 0) != 0) return false;
  const auto& events = code.function(site.function).events;
  return std::none_of(events.begin(), events.end(), [&](const Event& other) {
    const ApiFact* end = code.api(other);
    if (!ends_memory(end)) return false;
    return std::ranges::any_of(facts::values(other.args), [&](const Value& arg) { return arg.node == node; });
  });
}

}  // namespace syncsniff::program
