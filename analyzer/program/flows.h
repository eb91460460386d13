// What is assigned to each variable, field, parameter and result of a program, and which assignments to a local
// variable can reach a read of it (reaching definitions). Calls are not followed here; provenance.h does that.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "analyzer/program/code.h"

namespace syncsniff::program {

struct LinkedFlow {
  const Flow* flow;
  int function;
  int order;  // position in its unit
};
inline Reading reading_of(const LinkedFlow& flow) { return {flow.function, flow.order, flow.flow->region}; }

// An argument through which a call may write a variable: its address, or a reference to it.
struct ArgumentUse {
  Site site;
  int argument;
};

// The assignments to a variable that reach one place.
struct Reaching {
  std::vector<const LinkedFlow*> flows;
  bool entry = true;                 // a parameter may still have the caller's value
  const LinkedFlow* last = nullptr;  // the last assignment on every path to the place; nullptr: none
  bool parted = false;               // `flows` was restricted to the assignments that reach the place
  size_t which = 0;                  // if `parted`: a hash of these assignments
};

// What a search has visited. A variable counts as a different one if other assignments reach the read, or in another
// calling context.
struct Visits {
  struct Visit {
    facts::Text node, part;
    size_t flows, which;  // number and hash of the assignments that reach it
    Site call;            // the innermost call of the context
    bool written;         // visited as written through the call's parameter `node`, not as read

    bool operator==(const Visit&) const = default;
  };
  struct Hash {
    size_t operator()(const Visit& visit) const;
  };
  std::unordered_set<Visit, Hash> seen;
  int parted = 0;  // reads so far for which the reaching assignments were computed
};

class Flows {
 public:
  using ByNode = facts::TextMap<std::vector<LinkedFlow>>;

  Flows(const std::vector<const facts::UnitFacts*>& units, const Code& code);

  const ByNode& all() const { return flows_; }
  // nullptr: nothing is assigned to it.
  const std::vector<LinkedFlow>* into(facts::Text node) const;
  const std::vector<ArgumentUse>& uses_as_argument(facts::Text node) const;
  // The node "*node" of the memory that the node points to; empty: nothing is assigned to it, and it is no argument.
  facts::Text content_of(facts::Text node) const;
  // Whether the variable's value is passed on as it is: to another variable, a result, a closure's copy.
  bool is_read_elsewhere(const std::string& node) const { return aliased_.count(node) != 0; }
  // Whether `node` is assigned in the function between the two places.
  bool written_between(const std::string& node, int function, const Place& from, const Place& to) const;
  // The values that a function returns, and where it reads them.
  std::vector<std::pair<const Flow*, Reading>> returned(int function) const;
  // Functions that assign another pointer or object to a field.
  std::set<int> functions_that_assign_fields() const;

  // reaching.cpp
  // The only assignment to a local variable that reaches the read; nullptr if there are none or several, or if a lambda
  // of the function makes it.
  const Flow* only_assignment(const std::string& node, const Reading& at) const;
  // The assignments that reach the read; nothing if the search has visited it before.
  std::optional<Reaching> visit(facts::Text node, const Reading& at, const Context* context, Visits& visits,
                                facts::Text part = {}) const;
  bool may_write_before(Site site, const Reaching& reached, const Reading& at) const;

 private:
  void add_flows(const facts::UnitFacts& unit);
  void add_written_arguments(int function);
  Reaching reaching(const std::string& node, const Reading& at) const;

  const Code& code_;
  ByNode flows_;
  facts::TextMap<std::vector<ArgumentUse>> written_arguments_;
  facts::TextMap<facts::Text> contents_;  // by the node without the star
  facts::TextSet aliased_;                // variables whose value a flow passes on as it is
};

}  // namespace syncsniff::program
