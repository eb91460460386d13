// Who calls whom: direct calls, overriders of virtual ones, and what function pointers and callables may hold.
#include <algorithm>
#include <set>

#include "analyzer/facts/algorithms.h"
#include "analyzer/program/program.h"

namespace syncsniff::program {

namespace {
const std::vector<int> kNobody;

// Functions of the standard library, and optimizers with a closure, that call what they are given, here and now.
bool calls_its_argument(const Event& event) {
  if (event.kind == Event::Kind::kTensor) return event.callee.rfind("torch::optim::", 0) == 0;
  return event.kind == Event::Kind::kCall && event.harmless &&
         (facts::is_loop_of_library(event.callee_name) || facts::calls_what_it_is_given(event.callee_name));
}
}  // namespace

const std::vector<int>& Program::callees(Site site) const {
  if (site.function >= static_cast<int>(callees_.size())) return kNobody;
  return callees_[site.function][site.event];
}

std::vector<bool> Program::with_callers(std::vector<bool> functions) const {
  std::vector<int> work;
  for (int f = 0; f < static_cast<int>(functions.size()); ++f) {
    if (functions[f]) work.push_back(f);
  }
  while (!work.empty()) {
    const int callee = work.back();
    work.pop_back();
    for (const Site& call : callers_[callee]) {
      if (functions[call.function]) continue;
      functions[call.function] = true;
      work.push_back(call.function);
    }
  }
  return functions;
}

std::vector<bool> Program::functions_that_come_to(const std::function<bool(const Event&)>& test) const {
  std::vector<bool> hold(functions_.size());
  for (size_t f = 0; f < functions_.size(); ++f)
    hold[f] = std::any_of(functions_[f]->events.begin(), functions_[f]->events.end(), test);
  return with_callers(std::move(hold));
}

void Program::link_calls() {
  callees_.resize(functions_.size());
  callers_.assign(functions_.size(), {});
  // Indirect calls need callers of callees for what parameters hold: direct edges first, then two rounds of the rest.
  const auto add = [&](int f, int e, int callee) {
    std::vector<int>& to = callees_[f][e];
    if (std::find(to.begin(), to.end(), callee) != to.end()) return;
    to.push_back(callee);
    callers_[callee].push_back({f, e});
  };
  for (int f = 0; f < static_cast<int>(functions_.size()); ++f) {
    callees_[f].resize(functions_[f]->events.size());
    for (int e = 0; e < static_cast<int>(functions_[f]->events.size()); ++e) {
      const Event& event = functions_[f]->events[e];
      if (event.kind != Event::Kind::kCall || event.callee.empty()) continue;
      if (int callee = find(event.callee); callee >= 0) add(f, e, callee);
      if (!event.is_virtual) continue;
      std::vector<facts::Text> bases{event.callee};
      for (size_t i = 0; i < bases.size() && i < 64; ++i) {
        auto found = overriders_.find(bases[i]);
        if (found == overriders_.end()) continue;
        for (int callee : found->second) {
          add(f, e, callee);
          bases.push_back(functions_[callee]->usr);
        }
      }
    }
  }
  struct Calls {
    Site site;
    const Value* values;  // that it may call
    size_t count;
  };
  std::vector<Calls> indirect;
  for (int f = 0; f < static_cast<int>(functions_.size()); ++f) {
    for (int e = 0; e < static_cast<int>(functions_[f]->events.size()); ++e) {
      const Event& event = functions_[f]->events[e];
      if (event.kind == Event::Kind::kLaunch) continue;
      if (calls_its_argument(event))
        indirect.push_back({{f, e}, event.args.data(), event.args.size()});
      else if (event.indirect)
        indirect.push_back({{f, e}, &event.object, 1});
    }
  }
  for (int round = 0; round < 2; ++round) {
    for (const Calls& calls : indirect) {
      for (size_t i = 0; i < calls.count; ++i) {
        for (const std::string& usr : function_values(calls.values[i], calls.site.function)) {
          if (int callee = find(usr); callee >= 0) add(calls.site.function, calls.site.event, callee);
        }
      }
    }
  }
}

}  // namespace syncsniff::program
