// Recognises loops that repeat the same work: benchmarks of a kernel, and warm-ups. Unlike a training step, no
// iteration uses the result of another.
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

  // Whether the loop tries a few variants or warms up: it has few iterations, and its kernels, whose source is known,
  // use no result of an earlier one.
  bool tries_few(int function, int region) const;
  // Whether no iteration uses the result of an earlier one, and a clock or events measure the loop or its iterations.
  bool repeats_for_timing(int function, int region) const;
  // Whether all inner loops, also those in functions that it calls, repeat the same work, and one of them is timed: for
  // (size : sizes) { ...; for (i < n) work(); print(elapsed()); }.
  bool is_around_timing(int function, int region) const;
  // Whether the loop measures a callback: start = now(); for (i < n) work(); return now() - start, where `work` is a
  // parameter of the function. A wait in `work` then ends the measured time.
  bool times_callbacks(int function, int region) const;

 private:
  bool takes_time(Site site, int depth) const;
  bool shows_kernels(Site site, int depth) const;
  bool repeats_itself(int function, int region) const;
  enum class Inner { kNone, kRepeats, kTimed, kOther };  // the strongest property of the inner loops that launch
  Inner inner_loops(int function, int region) const;

  const Code& code_;
  const CallGraph& graph_;
  const EffectTable& effects_;
  const Learning& learning_;
  const Callbacks& callbacks_;
  const ElementShare& share_;
  mutable std::map<std::pair<int, int>, bool> timing_loops_, timed_repeats_,
      around_timing_;  // cached: queried for every place in a loop
};

}  // namespace syncsniff::program
