// Where values come from: the allocation behind a pointer, and the functions that a callable may be. Values are
// followed backwards through variables, fields, parameters and returns.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "analyzer/program/call_graph.h"
#include "analyzer/program/flows.h"

namespace syncsniff::program {

// One place where a pointer's memory was allocated.
struct Origin {
  MemoryKind memory = MemoryKind::kUnknown;
  Place place;
  std::string text;
};
struct Origins {
  std::vector<Origin> all;
  bool unknown = false;
  // The memory kind of all origins; kUnknown if they differ or one is unknown.
  MemoryKind proved() const;
  bool has(MemoryKind kind) const;
};

class Provenance {
 public:
  Provenance(const Code& code, const Flows& flows, const CallGraph& graph)
      : code_(code), flows_(flows), graph_(graph) {}

  Origins origins(const Value& value, const Reading& at, const Context* context = nullptr) const;
  // The USRs of the functions that the value may be. If it is looked up by a key, only the functions stored under that
  // key, if there are any.
  std::set<std::string> function_values(const Value& value, int function) const;
  // The same, whatever the key; nullopt: it may be another one, too, whose source is not known.
  std::optional<std::set<std::string>> all_function_values(const Value& value, int function) const;
  // Only the functions stored under `key`; if it is empty, under the key by which the value is looked up.
  std::set<std::string> functions_under_key(const Value& value, const Reading& at, facts::Text key) const;
  // field_flows.cpp
  // Whether the value of field or variable `from` may be assigned to `into`, directly or through other variables and
  // calls.
  bool may_come_from(facts::Text into, facts::Text from) const;

 private:
  const Code& code_;
  const Flows& flows_;
  const CallGraph& graph_;

  // File, begin and end of the source text. The end is needed since the variables of one declaration begin at the same
  // place.
  using Made = std::tuple<std::string, unsigned, unsigned, unsigned, unsigned>;
  bool is_registered(const Origin& made) const;
  mutable std::optional<std::set<Made>> registered_;  // memory that some call pins in place; computed once
};

}  // namespace syncsniff::program
