// The functions of all units of one program, each once, and what the tables say of the library functions that they
// call. Everything else in this folder is computed from it.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "analyzer/facts/facts.h"

namespace syncsniff::program {

using facts::Event;
using facts::Flow;
using facts::Function;
using facts::Gate;
using facts::Place;
using facts::Region;
using facts::Value;

// A place in the program where something happens: event `event` of function `function`.
struct Site {
  int function = -1;
  int event = -1;
  bool operator<(const Site& o) const { return function != o.function ? function < o.function : event < o.event; }
  bool operator==(const Site& o) const { return function == o.function && event == o.event; }
};

// How a function was reached, innermost call first: parameters mean that call's arguments.
struct Context {
  Site call;
  const Context* outer = nullptr;
};

// Where a variable is read: which of a local variable's assignments count there (reaching.cpp).
struct Reading {
  int function = -1;
  int order = -1;  // Event::order; -1: anywhere in the function
  int region = 0;
  Reading(int in_function) : function(in_function) {}
  Reading(int in_function, int at_order, int in_region) : function(in_function), order(at_order), region(in_region) {}
};

class Code {
 public:
  Code(const std::vector<const facts::UnitFacts*>& units, const ApiTable& apis);

  const std::vector<const Function*>& functions() const { return functions_; }
  int count() const { return static_cast<int>(functions_.size()); }
  const Function& function(int i) const { return *functions_[i]; }
  const Event& event(Site s) const { return functions_[s.function]->events[s.event]; }
  Reading reading(Site site) const { return {site.function, event(site).order, event(site).region}; }
  // -1: no unit defines it.
  int find(facts::Text usr) const;
  bool inside(const Function& f, int region, int ancestor) const;

  const ApiFact* api(const Event& e) const;
  // Every call of the tables' functions, in order. Most events are none.
  struct ApiCall {
    Site site;
    const ApiFact* fact;
  };
  const std::vector<ApiCall>& api_calls() const { return api_calls_; }

 private:
  void find_region_ends();

  const ApiTable& apis_;
  mutable facts::TextMap<const ApiFact*> api_facts_;  // by callee
  std::vector<const Function*> functions_;
  facts::TextMap<int> by_usr_;
  std::vector<ApiCall> api_calls_;
  std::unordered_map<const Function*, std::vector<int>> region_ends_;
};

template <class Test>
bool any_event(const std::vector<facts::UnitFacts*>& units, const Test& test) {
  return std::any_of(units.begin(), units.end(), [&](const facts::UnitFacts* unit) {
    return std::any_of(unit->functions.begin(), unit->functions.end(),
                       [&](const Function& f) { return std::any_of(f.events.begin(), f.events.end(), test); });
  });
}

bool is_constructor(const Function& function);
// The body of the kernel that the event launches; null where it launches none, or one of another unit's.
const facts::KernelBody* kernel_of(const Code& code, const Event& event);
// It launches, enqueues, copies or waits, or makes or ends memory that the GPU uses. `fact`: what the tables say of it.
bool works_on_gpu(const Event& event, const ApiFact* fact);
// Which parameter of its function the event hands on as this argument; -1: none.
int parameter_handed_on(const Event& event, size_t argument);
// The event calls a container's method that makes it longer, or one that makes it shorter.
bool adds_element(const Event& event);
bool takes_element(const Event& event);
// A constructor or destructor.
bool is_special_member(const Function& function);

}  // namespace syncsniff::program
