#include "analyzer/program/flows.h"

namespace syncsniff::program {

Flows::Flows(const std::vector<const facts::UnitFacts*>& units, const Code& code) : code_(code) {
  for (const auto* unit : units) add_flows(*unit);
  for (int f = 0; f < code.count(); ++f) add_written_arguments(f);
  const auto note_content = [this](facts::Text node) {
    if (node.starts_with("*")) contents_.emplace(node.substr(1), node);
  };
  for (const auto& [node, uses] : written_arguments_) note_content(node);
  for (const auto& [node, flows] : flows_) note_content(node);
}

void Flows::add_flows(const facts::UnitFacts& unit) {
  for (size_t order = 0; order < unit.flows.size(); ++order) {
    const Flow& flow = unit.flows[order];
    int function = -1;
    if (flow.function >= 0) {
      const Function& f = unit.functions[flow.function];
      function = code_.find(f.usr);
      if (function < 0 || &code_.function(function) != &f) continue;  // the copy of another unit is used
    }
    flows_[flow.into].push_back({&flow, function, static_cast<int>(order)});
    if (flow.value.kind == Value::Kind::kNode) aliased_.insert(flow.value.node);
  }
}

void Flows::add_written_arguments(int function) {
  const auto& events = code_.function(function).events;
  for (int e = 0; e < static_cast<int>(events.size()); ++e) {
    for (size_t a = 0; a < events[e].args.size(); ++a) {
      if (events[e].args[a].node.empty()) continue;
      written_arguments_[events[e].args[a].node].push_back({{function, e}, static_cast<int>(a)});
    }
  }
}

const std::vector<LinkedFlow>* Flows::into(facts::Text node) const {
  const auto found = flows_.find(node);
  return found == flows_.end() ? nullptr : &found->second;
}

const std::vector<ArgumentUse>& Flows::uses_as_argument(facts::Text node) const {
  static const std::vector<ArgumentUse> kNone;
  const auto found = written_arguments_.find(node);
  return found == written_arguments_.end() ? kNone : found->second;
}

facts::Text Flows::content_of(facts::Text node) const {
  const auto found = contents_.find(node);
  return found == contents_.end() ? facts::Text() : found->second;
}

bool Flows::written_between(const std::string& node, int function, const Place& from, const Place& to) const {
  const std::vector<LinkedFlow>* flows = into(node);
  if (!flows) return false;
  for (const LinkedFlow& flow : *flows) {
    const Place& at = flow.flow->place;
    if (flow.function == function && at.file == from.file && at.offset > from.offset && at.offset < to.offset)
      return true;
  }
  return false;
}

std::vector<std::pair<const Flow*, Reading>> Flows::returned(int function) const {
  std::vector<std::pair<const Flow*, Reading>> out;
  if (const std::vector<LinkedFlow>* flows = into("r:" + code_.function(function).usr)) {
    // `registry() = x` stores through the reference that registry() returns. This is a flow into the function's result,
    // but another function makes it; registry() itself does not return x.
    for (const LinkedFlow& flow : *flows) {
      if (flow.function == function) out.emplace_back(flow.flow, reading_of(flow));
    }
  }
  return out;
}

std::set<int> Flows::functions_that_assign_fields() const {
  std::set<int> functions;
  for (const auto& [node, flows] : flows_) {
    if (!node.starts_with("f:")) continue;
    for (const LinkedFlow& flow : flows) functions.insert(flow.function);
  }
  return functions;
}

}  // namespace syncsniff::program
