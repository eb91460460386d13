// Tensors that are on the CPU because the host reads or writes their elements: `x.data_ptr<int>()[i]`,
// `x.accessor<>()`.
#include <algorithm>

#include "analyzer/program/program.h"
#include "analyzer/program/regions.h"

namespace syncsniff::program {

// The tensor whose elements the host reads or writes there; empty where it is none, or only a tensor of the CPU gets
// there.
std::string Program::tensor_read_by_host(Site site) const {
  const Event& e = event(site);
  const Function& f = *functions_[site.function];
  const bool accesses = e.kind == Event::Kind::kTensor && e.callee == "at::TensorBase::accessor";
  const bool touches = e.kind == Event::Kind::kHostRead || e.kind == Event::Kind::kStore;
  if (!(accesses || touches) || is_off(f, e.region)) return {};
  if (accesses) return e.object.node;
  const Value* pointer = &e.object;
  if (pointer->kind == Value::Kind::kNode) {
    const auto flows = flows_.find(pointer->node);
    if (flows == flows_.end() || flows->second.size() != 1 || flows->second.front().function != site.function)
      return {};
    pointer = &flows->second.front().flow->value;
  }
  if (pointer->kind != Value::Kind::kCall) return {};
  const Event& made = f.events[pointer->event];
  const ApiFact* fact = made.kind == Event::Kind::kTensor ? api(made) : nullptr;
  return fact && fact->tensor == "accessor" ? made.object.node.str() : "";
}

void Program::find_host_reads() {
  if (!uses_cuda_tensors_) return;
  std::vector<int> work;
  const auto add = [&](const std::string& node, int function) {
    // A parameter that is assigned to may be another tensor by then.
    const auto& params = functions_[function]->params;
    if (node.empty() || std::find(params.begin(), params.end(), node) == params.end() || flows_.count(node) != 0)
      return;
    if (host_read_.insert(node).second) work.push_back(function);
  };
  const int count = static_cast<int>(functions_.size());
  for (int f = 0; f < count; ++f) {
    for (int e = 0; e < static_cast<int>(functions_[f]->events.size()); ++e) add(tensor_read_by_host({f, e}), f);
  }
  while (!work.empty()) {
    const int callee = work.back();
    work.pop_back();
    const auto& params = functions_[callee]->params;
    for (const Site& call : callers_[callee]) {
      const Event& e = event(call);
      if (callees(call).size() != 1 || is_off(*functions_[call.function], e.region)) continue;
      for (size_t i = 0; i < params.size() && i < e.args.size(); ++i) {
        if (host_read_.count(params[i]) != 0) add(e.args[i].node, call.function);
      }
    }
  }
}

}  // namespace syncsniff::program
