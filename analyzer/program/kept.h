// Resources (memory, streams, handles) that a function creates and leaves behind, or destroys without having created
// them. If it were called again and again, it would leak them, or destroy them twice.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analyzer/program/call_graph.h"
#include "analyzer/program/flows.h"

namespace syncsniff::program {

class Kept {
 public:
  Kept(const Code& code, const Flows& flows, const CallGraph& graph);

  // Whether it creates resources, directly or through calls, whether or not it destroys them again.
  bool makes(int function) const { return makes_[function]; }
  // Whether it leaves resources behind, or destroys some that it did not create.
  bool keeps_or_gives_back(int function) const;

 private:
  struct Nodes {
    std::set<std::string> made, ended;
    bool operator==(const Nodes&) const = default;
  };
  bool read_function(int f);
  void read_event(int f, int e);
  void read_api(int f, const Event& event, const ApiFact& fact);
  void read_callee(int f, const Event& event, int callee);
  void read_result(const Flows& flows, int f);
  // `raw`: the node is not an object that frees what it holds.
  void add_made(int f, const std::string& node, bool raw = false);

  const Code& code_;
  const CallGraph& graph_;
  std::vector<bool> makes_;
  std::vector<std::set<std::string>> returned_;  // variables from which the function's result is made
  std::vector<std::set<std::string>> parts_;     // variables from which a returned object is constructed
  std::vector<Nodes> kept_;
};

}  // namespace syncsniff::program
