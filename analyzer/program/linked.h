// The linked units of one program: its functions, assignments, calls, origins of values, and what each function does on
// the GPU. The members are built in order, each from those before it. How often code runs is not known here
// (hotness.h).
#pragma once

#include <vector>

#include "analyzer/program/callbacks.h"
#include "analyzer/program/devices.h"
#include "analyzer/program/effects.h"
#include "analyzer/program/learning.h"
#include "analyzer/program/outside_callers.h"
#include "analyzer/program/usage.h"
#include "analyzer/program/waited_tasks.h"
#include "analyzer/program/wrappers.h"

namespace syncsniff::program {

struct Linked {
  // `beside_cuda`: see usage.h.
  Linked(const std::vector<const facts::UnitFacts*>& units, const ApiTable& apis, bool beside_cuda);
  Linked(const Linked&) = delete;  // its members refer to each other

  Code code;
  Flows flows;
  Usage usage;
  CallGraph graph;
  Provenance provenance;
  TensorDevices devices;
  EffectTable effects;
  WaitedTasks tasks;  // adds calls to the graph and recomputes the effects
  OutsideCallers outside;
  Wrappers wrappers;
  Callbacks callbacks;
  Learning learning;
};

}  // namespace syncsniff::program
