// Callables that a call passes to a function which runs them. for_each_device([&] { set_up(); }) runs its lambda as
// often as this call runs, whatever other callers pass to for_each_device in the training loop.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "analyzer/program/provenance.h"

namespace syncsniff::program {

class Callbacks {
 public:
  Callbacks(const Code& code, const CallGraph& graph, const Provenance& provenance);

  struct Callback {
    Site inside;  // the call that runs the parameter
    int function;
  };
  // The callbacks that the call passes and that its callees run.
  const std::vector<Callback>& handed_by(Site call) const;
  // The calls that pass `callee` to the function of `call`, where `call` runs it. Empty: `call` does not call a
  // parameter.
  const std::vector<Site>& calls_handing_over(Site call, int callee) const;
  bool runs_callback(Site call, int callee) const { return !calls_handing_over(call, callee).empty(); }
  // The calls that have the function as an argument, whoever runs it.
  const std::vector<Site>& calls_given(int function) const { return given_[function]; }

 private:
  void find_callbacks_of(const Code& code, const CallGraph& graph, const Provenance& provenance, Site inside,
                         int parameter);

  std::map<Site, std::vector<Callback>> callbacks_;
  // By the call of a parameter and the function that it runs.
  std::map<std::pair<Site, int>, std::vector<Site>> handing_calls_;
  std::vector<std::vector<Site>> given_;  // by function
};

}  // namespace syncsniff::program
