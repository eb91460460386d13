#include "analyzer/program/learning.h"

#include <algorithm>

namespace syncsniff::program {

bool is_optimizer_step(const Event& event) {
  return event.kind == Event::Kind::kTensor && event.callee.id.rfind("torch::optim::", 0) == 0 &&
         event.callee.id.ends_with("::step");
}
bool is_backward(const Event& event) {
  return event.kind == Event::Kind::kTensor &&
         (event.callee.id == "at::Tensor::backward" || event.callee.id == "torch::autograd::backward");
}

static bool learns_by(const Event& event) {
  return is_optimizer_step(event) || is_backward(event) ||
         (event.kind == Event::Kind::kTensor && event.callee.id == "torch::autograd::grad");
}

Learning::Learning(const Code& code, const CallGraph& graph)
    : code_(code), graph_(graph), learns_(graph.functions_reaching(learns_by)) {}

bool Learning::learns_around(int function, int region) const {
  if (!learns_[function]) return false;
  const auto known = loops_.find({function, region});
  if (known != loops_.end()) return known->second;
  return loops_[{function, region}] = learns_in(function, region);
}

bool Learning::learns_in(int function, int region) const {
  const Function& f = code_.function(function);
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    if (!code_.inside(f, f.events[e].region, region)) continue;
    if (learns_by(f.events[e])) return true;
    const std::vector<int>& to = graph_.callees({function, e});
    if (std::any_of(to.begin(), to.end(), [&](int callee) { return learns_[callee]; })) return true;
  }
  return false;
}

}  // namespace syncsniff::program
