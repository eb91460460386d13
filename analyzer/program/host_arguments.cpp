#include "analyzer/program/host_arguments.h"

#include <algorithm>

namespace syncsniff::program {

namespace {

constexpr long long kHostToDevice = 1, kDeviceToHost = 2;  // values of cudaMemcpyKind

CopyDirection direction_of(const CopyFact& copy, const Event& event) {
  if (copy.direction != CopyDirection::kByArgument) return copy.direction;
  const bool evaluated = copy.kind >= 0 && copy.kind < static_cast<int>(event.args.size());
  const long long kind = evaluated ? event.args[copy.kind].constant : facts::kNotConstant;
  return kind == kHostToDevice   ? CopyDirection::kHostToDevice
         : kind == kDeviceToHost ? CopyDirection::kDeviceToHost
                                 : CopyDirection::kByArgument;
}

}  // namespace

HostArguments::HostArguments(const Code& code, const CallGraph& graph)
    : uploaded_(code.count()), filled_(code.count()) {
  graph.settle_events([&](Site site) { return read_event(code, graph, site); });
}

bool HostArguments::read_event(const Code& code, const CallGraph& graph, Site site) {
  const Function& function = code.function(site.function);
  const Event& event = code.event(site);
  const auto add = [&](int argument, Parameters& to) {
    const bool given = argument >= 0 && argument < static_cast<int>(event.args.size());
    return given && add_parameters(function, event.args[argument].value, to[site.function]);
  };
  bool changed = false;
  if (const ApiFact* fact = code.api(event)) {
    if (!fact->copy) return false;
    const CopyDirection direction = direction_of(*fact->copy, event);
    if (direction == CopyDirection::kHostToDevice) changed |= add(fact->copy->src, uploaded_);
    if (direction == CopyDirection::kDeviceToHost) changed |= add(fact->copy->dst, filled_);
    return changed;
  }
  for (const int callee : graph.callees(site)) {
    if (callee == site.function) continue;
    for (const int parameter : uploaded_[callee]) changed |= add(parameter, uploaded_);
    for (const int parameter : filled_[callee]) changed |= add(parameter, filled_);
  }
  return changed;
}

// Adds the parameters that the value is, or points into. Returns whether there were new ones.
bool HostArguments::add_parameters(const Function& function, const Value& value, std::set<int>& to) {
  bool changed = false;
  if (value.kind == Value::Kind::kNode) {
    const auto found = std::find(function.params.begin(), function.params.end(), value.node);
    const auto index = found - function.params.begin();
    if (found != function.params.end() && function.param_is_pointer[static_cast<size_t>(index)])
      changed |= to.insert(static_cast<int>(index)).second;
  }
  for (const Value& operand : value.operands) changed |= add_parameters(function, operand, to);
  return changed;
}

}  // namespace syncsniff::program
