// Callables that a call hands to a function which runs them: for_each_device([&] { set_up(); }) runs its lambda as
// often as that call runs, whatever other callers of for_each_device hand over in the training loop.
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
    Site inside;  // the call of the parameter
    int function;
  };
  // What the call hands to the functions that it calls, and they run.
  const std::vector<Callback>& handed_by(Site call) const;
  // The calls that hand `callee` to the function of `call`, which runs it there. Empty: `call` is no call of a
  // parameter.
  const std::vector<Site>& calls_handing_over(Site call, int callee) const;
  bool runs_callback(Site call, int callee) const { return !calls_handing_over(call, callee).empty(); }
  // The calls that are given the function, whoever runs it.
  const std::vector<Site>& calls_given(int function) const { return given_[function]; }

 private:
  void find_callbacks_of(const Code& code, const CallGraph& graph, const Provenance& provenance, Site inside,
                         int parameter);

  std::map<Site, std::vector<Callback>> callbacks_;
  std::map<std::pair<Site, int>, std::vector<Site>> handing_calls_;  // of the call of a parameter and what it runs
  std::vector<std::vector<Site>> given_;                             // of each function
};

}  // namespace syncsniff::program
