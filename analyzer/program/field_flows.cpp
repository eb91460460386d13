// Which fields may be assigned the values of other fields: `next->in = layer->out`, `new Layer(layer->output())`.
#include "analyzer/facts/parameter_node.h"
#include "analyzer/program/provenance.h"

namespace syncsniff::program {

namespace {

constexpr size_t kMostNodes = 256;  // nodes visited in one query; with more, the answer is unknown

}  // namespace

bool Provenance::may_come_from(facts::Text into, facts::Text from) const {
  std::set<std::string> seen{into.str()};
  std::vector<facts::Text> open{into};
  const auto add_node = [&](facts::Text node) {
    if (!node.empty() && seen.insert(node.str()).second) open.push_back(node);
  };
  const auto add_value = [&](const auto& self, const Value& value, int function) -> void {
    switch (value.kind) {
      case Value::Kind::kNode:
        return add_node(value.node);
      case Value::Kind::kCall:
        if (function < 0 || value.event < 0) return;
        for (int callee : graph_.callees({function, value.event})) add_node("r:" + code_.function(callee).usr);
        return;
      default:
        for (const Value& operand : value.operands) self(self, operand, function);
    }
  };
  while (!open.empty() && seen.size() < kMostNodes) {
    const facts::Text node = open.back();
    open.pop_back();
    if (node == from) return true;
    if (const std::vector<LinkedFlow>* flows = flows_.into(node)) {
      for (const LinkedFlow& flow : *flows) add_value(add_value, flow.flow->value, flow.function);
    }
    const auto parameter = facts::parameter_node(node.str());
    const int callee = parameter ? code_.find(parameter->function) : -1;
    if (callee < 0) continue;
    for (const Site& site : graph_.callers(callee)) {
      const Event& call = code_.event(site);
      if (parameter->index < call.args.size()) add_value(add_value, call.args[parameter->index].value, site.function);
    }
  }
  return false;
}

}  // namespace syncsniff::program
