// What is assigned to each variable, field, parameter and result of a program, and which of the assignments to a local
// variable can have made what is read at one place. It follows no call: see provenance.h.
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
  int order;  // in its unit
};
inline Reading reading_of(const LinkedFlow& flow) { return {flow.function, flow.order, flow.flow->region}; }

// An argument by which a call may write a variable: its address, or a reference.
struct ArgumentUse {
  Site site;
  int argument;
};

// The assignments that count at one place.
struct Reaching {
  std::vector<const LinkedFlow*> flows;
  bool entry = true;                 // a parameter may still be what the caller gave
  const LinkedFlow* last = nullptr;  // the assignment that every way to the place passes
  bool parted = false;               // only some of its assignments count here
  size_t which = 0;                  // parted: a hash of those that do
};

// What a search has looked at: a variable is another one where other assignments count, and in another context.
struct Visits {
  struct Visit {
    facts::Text node, part;
    size_t flows, which;  // which of its assignments count, and how many
    Site call;            // the context's
    bool written;         // through the call's parameter `node`, not read

    bool operator==(const Visit&) const = default;
  };
  struct Hash {
    size_t operator()(const Visit& visit) const;
  };
  std::unordered_set<Visit, Hash> seen;
  int parted = 0;  // variables told apart by where they are read
};

class Flows {
 public:
  using ByNode = facts::TextMap<std::vector<LinkedFlow>>;

  Flows(const std::vector<const facts::UnitFacts*>& units, const Code& code);

  const ByNode& all() const { return flows_; }
  // nullptr: nothing is assigned to it.
  const std::vector<LinkedFlow>* into(facts::Text node) const;
  const std::vector<ArgumentUse>& uses_as_argument(facts::Text node) const;
  // The node of what the node points to, "*node"; empty: nothing is assigned to that, and it is no argument.
  facts::Text content_of(facts::Text node) const;
  // Something is made from the variable's own value: another name for it, a result, a closure's copy.
  bool is_read_elsewhere(const std::string& node) const { return aliased_.count(node) != 0; }
  // Something is assigned to `node` in the function between the two places.
  bool written_between(const std::string& node, int function, const Place& from, const Place& to) const;
  // What a function gives back, and where it reads it.
  std::vector<std::pair<const Flow*, Reading>> returned(int function) const;
  // Functions that give a field another pointer or object.
  std::set<int> functions_that_assign_fields() const;

  // reaching.cpp
  // The one assignment to a local variable that can have made what is read there; null when several can, or none is,
  // or when a lambda of the function makes it.
  const Flow* only_assignment(const std::string& node, const Reading& at) const;
  // The assignments that count here; nothing where the search has been here before.
  std::optional<Reaching> visit(facts::Text node, const Reading& at, const Context* context, Visits& visits,
                                facts::Text part = {}) const;
  bool may_write_before(Site site, const Reaching& reached, const Reading& at) const;

 private:
  Reaching reaching(const std::string& node, const Reading& at) const;

  const Code& code_;
  ByNode flows_;
  facts::TextMap<std::vector<ArgumentUse>> written_arguments_;
  facts::TextMap<facts::Text> contents_;  // by the node without its star
  facts::TextSet aliased_;                // variables that a flow hands on as they are
};

}  // namespace syncsniff::program
