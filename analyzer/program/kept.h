// Memory, streams and the like that are there after a function's call, because it made them, or no longer there,
// because it gave them back. Called again and again, such a function would leak, or give back what it no longer has.
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

  // It makes some, directly or through calls, whether or not it gives them back.
  bool makes(int function) const { return makes_[function]; }
  // It leaves some behind, or gives back some that it did not make.
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
  // `raw`: it is no object that gives back what it holds.
  void add_made(int f, const std::string& node, bool raw = false);

  const Code& code_;
  const CallGraph& graph_;
  std::vector<bool> makes_;
  std::vector<std::set<std::string>> returned_;  // the variables that a function's value is made of
  std::vector<std::set<std::string>> parts_;     // those that an object which it returns is made from
  std::vector<Nodes> kept_;
};

}  // namespace syncsniff::program
