// Recognises loops and functions that add objects to a list and enqueue no GPU work but that of constructing these
// objects: layers.push_back(std::make_unique<Layer>(n)).
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/program/call_graph.h"
#include "analyzer/program/effects.h"

namespace syncsniff::program {

class Adding {
 public:
  // `works`: GPU work is also allowed in methods called on such an object before it is added or as the last one in the
  // list.
  Adding(const Code& code, const CallGraph& graph, const EffectTable& effects, bool works)
      : code_(code), graph_(graph), effects_(effects), works_(works) {}

  bool adds_objects(int function, int region) const { return !lists_of(function, region).empty(); }

 private:
  using Lists = std::set<std::string>;  // the variables and fields that hold the lists
  Lists lists_of(int function, int region) const;
  const Lists& fields_of(int function) const;
  Lists fields_of_all(const std::vector<int>& functions) const;

  const Code& code_;
  const CallGraph& graph_;
  const EffectTable& effects_;
  const bool works_;
  mutable std::map<int, Lists> fields_;  // by function; empty if the function does other GPU work, too
};

}  // namespace syncsniff::program
