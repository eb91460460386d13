// Where values come from: the memory behind a pointer and the functions that a callable may be, followed backwards
// through variables, fields, parameters and returns.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "analyzer/program/call_graph.h"
#include "analyzer/program/flows.h"

namespace syncsniff::program {

// One place that a pointer's memory was made.
struct Origin {
  MemoryKind memory = MemoryKind::kUnknown;
  Place place;
  std::string text;
};
struct Origins {
  std::vector<Origin> all;
  bool unknown = false;
  // The one kind that every origin has; kUnknown when they differ or one is not known.
  MemoryKind proved() const;
  bool has(MemoryKind kind) const;
};

class Provenance {
 public:
  Provenance(const Code& code, const Flows& flows, const CallGraph& graph)
      : code_(code), flows_(flows), graph_(graph) {}

  Origins origins(const Value& value, const Reading& at, const Context* context = nullptr) const;
  // The identities of the functions that the value may be. Of those that are kept under keys it is one that is kept
  // under the key that it is looked up by, if there is one.
  std::set<std::string> function_values(const Value& value, int function) const;
  // Those alone that are kept under the key; of an empty one, under the key that the value is looked up by.
  std::set<std::string> functions_under_key(const Value& value, const Reading& at, facts::Text key) const;
  // field_flows.cpp
  // What the field or variable `from` holds may be assigned to `into`, directly or through others and calls.
  bool may_come_from(facts::Text into, facts::Text from) const;

 private:
  const Code& code_;
  const Flows& flows_;
  const CallGraph& graph_;

  // File, and where the text begins and ends: the variables of one declaration begin together.
  using Made = std::tuple<std::string, unsigned, unsigned, unsigned, unsigned>;
  bool is_registered(const Origin& made) const;
  mutable std::optional<std::set<Made>> registered_;  // memory that some call pins in place; looked for once
};

}  // namespace syncsniff::program
