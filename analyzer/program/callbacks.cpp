#include "analyzer/program/callbacks.h"

#include <algorithm>

namespace syncsniff::program {

// The index of the parameter that the indirect call calls; -1: it calls something else.
static int called_parameter(const Function& f, const Event& call) {
  if (!call.callee.indirect || call.object.kind != Value::Kind::kNode) return -1;
  const auto found = std::find(f.params.begin(), f.params.end(), call.object.node);
  return found == f.params.end() ? -1 : static_cast<int>(found - f.params.begin());
}

Callbacks::Callbacks(const Code& code, const CallGraph& graph, const Provenance& provenance) : given_(code.count()) {
  for (int f = 0; f < code.count(); ++f) {
    const auto& events = code.function(f).events;
    for (int e = 0; e < static_cast<int>(events.size()); ++e) {
      const int parameter = called_parameter(code.function(f), events[e]);
      if (parameter >= 0) find_callbacks_of(code, graph, provenance, {f, e}, parameter);
      for (const Value& arg : facts::values(events[e].args)) {
        const int given = arg.kind == Value::Kind::kFunction ? code.find(arg.node) : -1;
        if (given >= 0) given_[given].push_back({f, e});
      }
    }
  }
}

void Callbacks::find_callbacks_of(const Code& code, const CallGraph& graph, const Provenance& provenance, Site inside,
                                  int parameter) {
  const std::vector<int>& run = graph.callees(inside);
  for (const Site& caller : graph.callers(inside.function)) {
    const Event& call = code.event(caller);
    if (call.callee.indirect || parameter >= static_cast<int>(call.args.size())) continue;
    for (const std::string& usr : provenance.function_values(call.args[parameter].value, caller.function)) {
      const int callback = code.find(usr);
      if (std::find(run.begin(), run.end(), callback) == run.end()) continue;
      callbacks_[caller].push_back({inside, callback});
      handing_calls_[{inside, callback}].push_back(caller);
    }
  }
}

const std::vector<Callbacks::Callback>& Callbacks::handed_by(Site call) const {
  static const std::vector<Callback> kNone;
  const auto found = callbacks_.find(call);
  return found == callbacks_.end() ? kNone : found->second;
}

const std::vector<Site>& Callbacks::calls_handing_over(Site call, int callee) const {
  static const std::vector<Site> kNone;
  const auto found = handing_calls_.find({call, callee});
  return found == handing_calls_.end() ? kNone : found->second;
}

}  // namespace syncsniff::program
