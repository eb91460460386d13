// Recognises loops beside the training by what they launch: loops over streams, warm-ups, and recordings of graphs.
#pragma once

#include <map>
#include <set>
#include <utility>

#include "analyzer/program/call_graph.h"
#include "analyzer/program/feeding_loops.h"
#include "analyzer/program/flows.h"

namespace syncsniff::program {

class Rounds {
 public:
  Rounds(const Code& code, const Flows& flows, const CallGraph& graph, const EffectTable& effects,
         const FeedingLoops& feeding)
      : code_(code), flows_(flows), graph_(graph), effects_(effects), feeding_(feeding) {}

  // Whether the loop launches only on streams that are the elements which it goes through: for (cudaStream_t s :
  // streams) work<<<1, 32, 0, s>>>(x). A loop over steps takes streams by turns instead.
  bool goes_through_streams(int function, int region) const;

  // Whether the loop makes a few rounds of what a later loop of the function launches: for (int i = 0; i < 10; ++i)
  // step(x); for (int i = 0; i < 100000; ++i) step(x). kFarMore: at least ten times as often, or for ever. kMaybe: how
  // often is not known.
  enum class WarmUp : uint8_t { kNo, kMaybe, kFarMore };
  WarmUp warms_up(int function, int region) const;

  // Whether each iteration records a graph, perhaps after a warm-up, and no iteration launches one.
  bool only_captures(int function, int region) const;

 private:
  using Launched = std::set<facts::Text>;
  const Launched& launched_in(int function, int region) const;
  bool launches_in_loops(int function) const;
  bool leads_to_loops(int function, int region) const;

  const Code& code_;
  const Flows& flows_;
  const CallGraph& graph_;
  const EffectTable& effects_;
  const FeedingLoops& feeding_;
  mutable std::map<std::pair<int, int>, Launched> launched_;
  mutable std::map<int, bool> in_loops_;  // by function
};

}  // namespace syncsniff::program
