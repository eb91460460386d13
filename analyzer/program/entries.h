// Functions that somebody out of sight calls: what a library exports, callbacks, overriders of a framework's methods.
// How often is not shown, so that what they do is told of each call; set-up and tear-down are told apart by what they
// keep and what they give back.
#pragma once

#include <optional>
#include <vector>

#include "analyzer/program/host_arguments.h"
#include "analyzer/program/kept.h"
#include "analyzer/program/loops.h"

namespace syncsniff::program {

// What a function does in every call of it, with what it calls. To be made where there is a candidate: it is a walk
// over the whole program.
class Entries {
 public:
  Entries(const Linked& linked, const Loops& loops);

  bool runs_each_call(int f) const;
  // It makes the device memory that it works on, and both its input and its output are the caller's host memory.
  bool is_whole_job(int f);

 private:
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
  std::optional<HostArguments> host_arguments_;  // another such walk, where some entry makes memory
  std::vector<bool> own_loops_;                  // holds a loop of its own that feeds the GPU
  std::vector<bool> tensors_;                    // puts work on tensors
  std::vector<bool> computes_;                   // launches more than what fills containers
};

}  // namespace syncsniff::program
