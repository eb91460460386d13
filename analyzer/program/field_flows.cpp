// Which fields may be assigned the values of other fields: `next->in = layer->out`, `new Layer(layer->output())`.
#include "analyzer/facts/parameter_node.h"
#include "analyzer/program/provenance.h"

namespace syncsniff::program {

namespace {

constexpr size_t kMostNodes = 256;  // nodes visited in one query; with more, the answer is unknown

// The nodes whose values may reach one node, as a search that is not finished.
class NodesBefore {
 public:
  NodesBefore(const Code& code, const CallGraph& graph, facts::Text into) : code_(code), graph_(graph) {
    add_node(into);
  }

  bool has_next() const { return !open_.empty() && seen_.size() < kMostNodes; }
  facts::Text next() {
    const facts::Text node = open_.back();
    open_.pop_back();
    return node;
  }
  void add_value(const Value& value, int function) {
    switch (value.kind) {
      case Value::Kind::kNode:
        return add_node(value.node);
      case Value::Kind::kCall:
        if (function < 0 || value.event < 0) return;
        for (int callee : graph_.callees({function, value.event})) add_node("r:" + code_.function(callee).usr);
        return;
      default:
        for (const Value& operand : value.operands) add_value(operand, function);
    }
  }

 private:
  void add_node(facts::Text node) {
    if (!node.empty() && seen_.insert(node.str()).second) open_.push_back(node);
  }

  const Code& code_;
  const CallGraph& graph_;
  std::set<std::string> seen_;
  std::vector<facts::Text> open_;
};

}  // namespace

bool Provenance::may_come_from(facts::Text into, facts::Text from) const {
  NodesBefore before(code_, graph_, into);
  while (before.has_next()) {
    const facts::Text node = before.next();
    if (node == from) return true;
    if (const std::vector<LinkedFlow>* flows = flows_.into(node)) {
      for (const LinkedFlow& flow : *flows) before.add_value(flow.flow->value, flow.function);
    }
    const auto parameter = facts::parameter_node(node.str());
    const int callee = parameter ? code_.find(parameter->function) : -1;
    if (callee < 0) continue;
    for (const Site& site : graph_.callers(callee)) {
      const Event& call = code_.event(site);
      if (parameter->index < call.args.size()) before.add_value(call.args[parameter->index].value, site.function);
    }
  }
  return false;
}

}  // namespace syncsniff::program
