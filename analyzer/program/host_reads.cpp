#include "analyzer/program/host_reads.h"

#include <algorithm>

#include "analyzer/program/regions.h"

namespace syncsniff::program {

namespace {

constexpr int kMostMade = 4;  // tensors that are made one from the other

// The tensor from which a local one was made on the same device, as in `y = x.clone()` and `y = x.view(n)`; the local
// one itself if there is none. If the host reads y, x is on the CPU, too.
std::string made_from(const Flows& flows, std::string node, int function) {
  for (int i = 0; i < kMostMade; ++i) {
    const std::vector<LinkedFlow>* made = flows.into(node);
    if (!made || made->size() != 1 || made->front().function != function) break;
    const Value& value = made->front().flow->value;
    const bool copy = value.kind == Value::Kind::kTensor && value.device == Value::Device::kFromOperands;
    const Value* from = copy && value.operands.size() == 1 ? &value.operands.front() : &value;
    if (from->kind != Value::Kind::kNode) break;
    node = from->node.str();
  }
  return node;
}

// The tensor that x.data_ptr<float>() points into; empty if the pointer comes from another call.
std::string tensor_behind(const Code& code, const Flows& flows, const Value& pointer, int function) {
  if (pointer.kind != Value::Kind::kCall) return {};
  const Event& made = code.function(function).events[pointer.event];
  const ApiFact* fact = made.kind == Event::Kind::kTensor ? code.api(made) : nullptr;
  return fact && fact->tensor == "accessor" ? made_from(flows, made.object.node.str(), function) : "";
}

// The tensor, or the pointer, through which the host reads or writes elements at the site; empty if it does not.
std::string read_by_host(const Code& code, const Flows& flows, Site site) {
  const Event& e = code.event(site);
  const bool accesses = e.kind == Event::Kind::kTensor && e.callee.id == "at::TensorBase::accessor";
  const bool touches = e.kind == Event::Kind::kHostRead || e.kind == Event::Kind::kStore;
  if (!(accesses || touches) || is_off(code.function(site.function), e.region)) return {};
  if (accesses) return made_from(flows, e.object.node.str(), site.function);
  if (e.object.kind != Value::Kind::kNode) return tensor_behind(code, flows, e.object, site.function);
  const std::vector<LinkedFlow>* made = flows.into(e.object.node);
  if (!made) return e.object.node.str();
  if (made->size() != 1 || made->front().function != site.function) return {};
  return tensor_behind(code, flows, made->front().flow->value, site.function);
}

}  // namespace

std::set<std::string> find_host_reads(const Code& code, const Flows& flows, const CallGraph& graph) {
  std::set<std::string> found;  // tensors, and pointers into them
  std::vector<int> work;
  const auto add = [&](const std::string& node, int function) {
    // A parameter that is assigned to may be another tensor when it is read.
    const auto& params = code.function(function).params;
    if (node.empty() || std::find(params.begin(), params.end(), node) == params.end() || flows.into(node)) return;
    if (found.insert(node).second) work.push_back(function);
  };
  for (int f = 0; f < code.count(); ++f) {
    for (int e = 0; e < static_cast<int>(code.function(f).events.size()); ++e)
      add(read_by_host(code, flows, {f, e}), f);
  }
  while (!work.empty()) {
    const int callee = work.back();
    work.pop_back();
    const auto& params = code.function(callee).params;
    for (const Site& call : graph.callers(callee)) {
      const Event& e = code.event(call);
      if (graph.callees(call).size() != 1 || is_off(code.function(call.function), e.region)) continue;
      for (size_t i = 0; i < params.size() && i < e.args.size(); ++i) {
        if (found.count(params[i]) == 0) continue;
        add(e.args[i].value.node, call.function);
        add(tensor_behind(code, flows, e.args[i].value, call.function), call.function);
      }
    }
  }
  return found;
}

}  // namespace syncsniff::program
