// Entries: functions called by code of unknown source, such as functions that a library exports, callbacks, and
// overriders of a framework's methods. How often they are called is unknown, so findings in them are reported per call.
// Functions that keep or free resources are set-up and tear-down, and do not count.
#pragma once

#include <optional>
#include <vector>

#include "analyzer/program/host_arguments.h"
#include "analyzer/program/kept.h"
#include "analyzer/program/loops.h"

namespace syncsniff::program {

// What a function does at each call, including the functions it calls. Construct it only if there is a candidate, since
// the constructor walks over the whole program.
class Entries {
 public:
  Entries(const Linked& linked, const Loops& loops);

  bool runs_each_call(int f) const;
  // Whether the function allocates the device memory that it works on, and both its input and its output are host
  // memory of its caller.
  bool is_whole_job(int f);

 private:
  bool only_constructs(int f) const;
  bool returns_object(int f, int event) const;
  bool launches_on_tensors(int f) const;
  bool fetches_tensor(const Linked& linked, int f) const;
  void hand_to_callers(std::vector<bool>& does) const;
  bool has_own_loop(int f) const;
  bool computes(const Event& event) const;
  std::vector<bool> same_each_time(int f) const;

  const Code& code_;
  const CallGraph& graph_;
  const EffectTable& effects_;
  const OutsideCallers& outside_;
  const Wrappers& wrappers_;
  const Loops& loops_;
  const Kept kept_;
  std::optional<HostArguments> host_arguments_;  // made when needed: it also walks over the whole program
  std::vector<bool> own_loops_;                  // by function: it has a loop of its own that launches GPU work
  std::vector<bool> tensors_;                    // by function: it enqueues work on tensors
  std::vector<bool> computes_;                   // by function: it launches more than what fills containers
};

}  // namespace syncsniff::program
