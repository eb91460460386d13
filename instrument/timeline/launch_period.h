// Finds the step as the period of what is enqueued: among all kinds of launches (kernel and call path), the one that
// cuts the sequence into segments which launch the same things. Works on plain data and does not know traces.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace syncsniff::timeline {

enum class EnqueueKind : uint8_t { kKernel, kGraph, kOther };

struct Enqueue {
  uint32_t symbol = 0;  // dense from 0: one call path and kernel
  EnqueueKind kind = EnqueueKind::kKernel;
  uint64_t time_ns = 0;
  bool optimizer = false;  // made by a framework's optimizer
};

using EnqueueWindow = std::vector<Enqueue>;  // all that one device was given in a stretch of time, in time order

enum class PeriodDoubt : uint8_t {
  kNone,
  // Gradients are accumulated: the segments repeat within a step, which ends with launches of its own.
  kAccumulates,
  // So few kinds of launches repeat that they look like a loop over layers: the longer period was taken.
  kRepeatsWithin,
  // Every n-th segment enqueues something more: logging, or else the end of the real step.
  kEndsApart,
  // Most of a segment is the same launches several times, then a few others: layers and a head, or steps and a
  // validation.
  kHoldsRepeats,
};

struct LaunchPeriod {
  uint32_t symbol = 0;         // the symbol whose occurrences cut
  std::vector<uint32_t> once;  // symbols that occur once in each segment, including the cutting one; ascending
  size_t segments = 0;         // complete ones
  size_t each = 1;             // segments per step
  size_t enqueues = 0;         // per segment; median
  double kinds = 0;            // kinds of enqueues per segment; a graph counts as eight
  double alike = 0;            // 0..1: the share of kinds of enqueues that neighbouring segments have in common
  double covers = 0;           // share of all enqueues that is in complete segments
  bool by_optimizer = false;   // each segment holds one step of an optimizer
  PeriodDoubt doubt = PeriodDoubt::kNone;
  size_t other_every = 0;  // if there is a doubt: how many shorter periods make a longer one
};

// Returns nullopt if nothing repeats at least three times in a window and alike enough, or if all enqueues are of one
// kind. What happened between two windows is not known. Takes time proportional to the number of enqueues, of which at
// most 200,000 are examined. `left_out`: symbols at which not to cut.
std::optional<LaunchPeriod> find_launch_period(const std::vector<EnqueueWindow>& windows,
                                               const std::set<uint32_t>& left_out = {});

}  // namespace syncsniff::timeline
