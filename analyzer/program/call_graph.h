// Who calls whom.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "analyzer/program/code.h"

namespace syncsniff::program {

class CallGraph {
 public:
  // The calls that name their callee, and overriders of virtual ones.
  explicit CallGraph(const Code& code);
  // What a value that is called may hold, or what another thread is given to run, is found by following values through
  // the calls known so far: such calls are added one by one.
  void add(Site call, int callee);

  const std::vector<int>& callees(Site site) const { return callees_[site.function][site.event]; }
  const std::vector<std::vector<int>>& callees_of_events(int function) const { return callees_[function]; }
  const std::vector<Site>& callers(int function) const { return callers_[function]; }
  // What the region of `callee` asks of its parameters, or of its object's fields, is not so for what the call gives:
  // by this call it never runs.
  bool excludes(Site call, int callee, int region) const { return excludes(std::span(&call, 1), callee, region); }
  // The same of the last of these calls, of which each stands in the function that the one before it calls: what the
  // last one hands on from its caller is what the caller was given.
  bool excludes(std::span<const Site> calls, int callee, int region) const;

  // Reads every function, and again those that call one of which `read(function)` has found out more, until nothing
  // more is found out.
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

  // The same by events: `read(site)`.
  template <class Read>
  void settle_events(const Read& read) const {
    settle([&](int f) {
      bool more = false;
      for (int e = 0; e < static_cast<int>(callees_[f].size()); ++e) more |= read(Site{f, e});
      return more;
    });
  }

  // Of each function: whether it is one of these or comes to one through calls.
  std::vector<bool> with_callers(std::vector<bool> functions) const;
  // Of each function: whether it holds an event that passes `test`, directly or through calls.
  std::vector<bool> functions_reaching(const std::function<bool(const Event&)>& test) const;

 private:
  bool null_is_a_sign(int callee, size_t index) const;
  bool names(Site call, int callee) const;
  struct Given {
    long long constant = facts::kNotConstant;
    bool computed = false;  // neither a constant nor what the first of the calls' callers was given itself
  };
  Given given(std::span<const Site> calls, int callee, size_t index) const;
  long long left_in(std::span<const Site> calls, const facts::Text& field) const;
  // The last of the calls passes a known value for the parameter that the test reads, and the test is false for it.
  bool fails(std::span<const Site> calls, int callee, const facts::ParameterTest& test) const;

  const Code& code_;
  std::vector<std::vector<std::vector<int>>> callees_;
  std::vector<std::vector<Site>> callers_;
};

}  // namespace syncsniff::program
