// The functions of all units of one program, each once, and the API facts of the library functions that they call.
// Everything else in this folder is computed from these.
#pragma once

#include <algorithm>
#include <string>
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

// The calls through which a function was reached, innermost first: its parameters stand for the arguments of `call`.
struct Context {
  Site call;
  const Context* outer = nullptr;
};

// The place where a variable is read. It decides which assignments to a local variable can reach the read
// (reaching.cpp).
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
  // The index of the function; -1: no unit defines it.
  int find(facts::Text usr) const;
  bool inside(const Function& f, int region, int ancestor) const;
  // A function's name for fingerprints, which must not contain line numbers: for a lambda, "lambda in " and the name of
  // the enclosing function.
  std::string name_without_lines(int function) const;

  const ApiFact* api(const Event& e) const;
  // Every call of a function in the API tables, in order. Few events are such calls.
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
// The body of the kernel that the event launches; nullptr if it launches none, or one that no unit of the program
// defines.
const facts::KernelBody* kernel_of(const Code& code, const Event& event);
// Whether the event launches, enqueues, copies or waits, or allocates or frees memory that the GPU uses. `fact`: its
// API fact.
bool works_on_gpu(const Event& event, const ApiFact* fact);
// The parameter of the enclosing function that the event passes on as this argument; -1: none.
int parameter_handed_on(const Event& event, size_t argument);
// Whether the event calls a container's method that adds an element, or one that removes an element.
bool adds_element(const Event& event);
bool takes_element(const Event& event);
bool is_special_member(const Function& function);

}  // namespace syncsniff::program
