// The call graph: which functions each call may run, and which calls may run each function.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "analyzer/program/code.h"

namespace syncsniff::program {

class CallGraph {
 public:
  // Adds the calls that name their callee, the overriders of virtual functions, and the coroutines that a resumption
  // may run.
  explicit CallGraph(const Code& code);
  // Adds one call. Calls through values and functions passed to threads are found by following values through the calls
  // known so far, so they are added one by one.
  void add(Site call, int callee);

  const std::vector<int>& callees(Site site) const { return callees_[site.function][site.event]; }
  const std::vector<std::vector<int>>& callees_of_events(int function) const { return callees_[function]; }
  const std::vector<Site>& callers(int function) const { return callers_[function]; }
  // Whether the call runs constructors and nothing else.
  bool constructs(Site call) const;
  // Whether this call never runs the region of `callee`, because the region is under a condition on parameters or
  // fields that is false for the values that the call passes or leaves.
  bool excludes(Site call, int callee, int region) const { return excludes(std::span(&call, 1), callee, region); }
  // The same for the last call of a chain, each call being in the function that the call before it runs. Where the last
  // call passes on a parameter of its own function, the caller's argument counts.
  bool excludes(std::span<const Site> calls, int callee, int region) const;

  // Runs a fixpoint iteration: calls `read(function)` for every function, and again for the callers of each function
  // for which it returned true (it found out more), until no call returns true.
  template <class Read>
  void settle(const Read& read) const {
    std::vector<bool> to_read(callers_.size(), true);
    for (bool more = true; more;) {
      more = false;
      for (int f = 0; f < static_cast<int>(to_read.size()); ++f) {
        if (!to_read[f]) continue;
        to_read[f] = false;
        if (!read(f)) continue;
        more = true;
        for (const Site& call : callers_[f]) to_read[call.function] = true;
      }
    }
  }

  // The same by event: `read(site)` is called for each event of a function.
  template <class Read>
  void settle_events(const Read& read) const {
    settle([&](int f) {
      bool more = false;
      for (int e = 0; e < static_cast<int>(callees_[f].size()); ++e) more |= read(Site{f, e});
      return more;
    });
  }

  // For each function: whether it is one of `functions` or reaches one through calls.
  std::vector<bool> with_callers(std::vector<bool> functions) const;
  // For each function: whether it or a function that it reaches has an event that passes `test`.
  std::vector<bool> functions_reaching(const std::function<bool(const Event&)>& test) const;

 private:
  using Overriders = facts::TextMap<std::vector<int>>;  // by the USR of the function that they override
  // Adds the functions that may run where the call names a virtual function.
  void add_overriders(Site call, const Overriders& overriders);
  bool null_is_a_sign(int callee, size_t index) const;
  bool names(Site call, int callee) const;
  struct Given {
    long long constant = facts::kNotConstant;
    bool computed = false;  // neither a constant nor a parameter of the outermost caller
  };
  Given given(std::span<const Site> calls, int callee, size_t index) const;
  long long left_in(std::span<const Site> calls, const facts::Text& field) const;
  // Whether the last call passes a known value for the parameter in `test`, and the test is false for this value.
  bool fails(std::span<const Site> calls, int callee, const facts::ParameterTest& test) const;

  const Code& code_;
  std::vector<std::vector<std::vector<int>>> callees_;
  std::vector<std::vector<Site>> callers_;
};

}  // namespace syncsniff::program
