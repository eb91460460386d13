// Loops that do the same work again and again: what times a kernel, what runs it a few times first. No iteration starts
// from what another one left, as the steps of a training do.
#pragma once

#include <map>
#include <utility>

#include "analyzer/program/callbacks.h"
#include "analyzer/program/element_share.h"
#include "analyzer/program/learning.h"

namespace syncsniff::program {

class Repetitions {
 public:
  Repetitions(const Code& code, const CallGraph& graph, const EffectTable& effects, const Learning& learning,
              const Callbacks& callbacks, const ElementShare& share)
      : code_(code), graph_(graph), effects_(effects), learning_(learning), callbacks_(callbacks), share_(share) {}

  // The loop tries some variants, or warms up: each of its few iterations starts anew, as the kernels in sight show.
  bool tries_few(int function, int region) const;
  // No iteration works on what an earlier one left, with clocks or events around the loop's work, or in it.
  bool repeats_for_timing(int function, int region) const;
  // for (size : sizes) { ...; for (i < n) work(); print(elapsed()); }: all that this loop does in loops is such a
  // repetition, here or in what it calls, and one of them is timed.
  bool is_around_timing(int function, int region) const;
  // start = now(); for (i < n) work(); return now() - start, where `work` is what the function was handed: it measures
  // that, and a wait in it ends what is measured.
  bool times_callbacks(int function, int region) const;

 private:
  bool takes_time(Site site, int depth) const;
  bool shows_kernels(Site site, int depth) const;
  bool repeats_itself(int function, int region) const;
  enum class Inner { kNone, kRepeats, kTimed, kOther };  // what the launching loops inside do, at most
  Inner inner_loops(int function, int region) const;

  const Code& code_;
  const CallGraph& graph_;
  const EffectTable& effects_;
  const Learning& learning_;
  const Callbacks& callbacks_;
  const ElementShare& share_;
  mutable std::map<std::pair<int, int>, bool> timing_loops_, timed_repeats_,
      around_timing_;  // every place in a loop asks again
};

}  // namespace syncsniff::program
