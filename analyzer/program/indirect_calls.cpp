#include "analyzer/program/indirect_calls.h"

#include <string>
#include <vector>

#include "analyzer/facts/algorithms.h"
#include "analyzer/program/provenance.h"

namespace syncsniff::program {

namespace {

// Whether the event calls its argument before it returns, as functions of the standard library and optimizers with a
// closure do.
bool calls_its_argument(const Event& event) {
  if (event.kind == Event::Kind::kTensor) return event.callee.id.rfind("torch::optim::", 0) == 0;
  return event.kind == Event::Kind::kCall && event.callee.harmless &&
         (facts::is_loop_of_library(event.callee.name) || facts::calls_what_it_is_given(event.callee.name));
}

struct IndirectCall {
  Site site;
  std::vector<Value> values;  // the values that may hold the callee
};

std::vector<IndirectCall> indirect_calls(const Code& code) {
  std::vector<IndirectCall> out;
  for (int f = 0; f < code.count(); ++f) {
    for (int e = 0; e < static_cast<int>(code.function(f).events.size()); ++e) {
      const Event& event = code.event({f, e});
      if (event.kind == Event::Kind::kLaunch) continue;
      if (calls_its_argument(event))
        out.push_back({{f, e}, {facts::values(event.args).begin(), facts::values(event.args).end()}});
      else if (event.callee.indirect)
        out.push_back({{f, e}, {event.object}});
    }
  }
  return out;
}

}  // namespace

// A call through a parameter can be resolved only when the callers that pass the parameter are known. So direct calls
// are added first, and then indirect calls are resolved twice.
CallGraph link_calls(const Code& code, const Flows& flows) {
  CallGraph graph(code);
  const Provenance provenance(code, flows, graph);
  const std::vector<IndirectCall> indirect = indirect_calls(code);
  for (int round = 0; round < 2; ++round) {
    for (const IndirectCall& call : indirect) {
      for (const Value& value : call.values) {
        for (const std::string& usr : provenance.function_values(value, call.site.function)) {
          if (int callee = code.find(usr); callee >= 0) graph.add(call.site, callee);
        }
      }
    }
  }
  return graph;
}

}  // namespace syncsniff::program
