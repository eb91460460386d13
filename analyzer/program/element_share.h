// What a call in a loop does on the GPU for the element of one iteration: update that element alone, which one launch
// can do for all elements, or a step that the next iteration goes on from.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "analyzer/facts/sums.h"
#include "analyzer/program/effects.h"
#include "analyzer/program/provenance.h"

namespace syncsniff::program {

class ElementShare {
 public:
  ElementShare(const Code& code, const CallGraph& graph, const EffectTable& effects, const Provenance& provenance)
      : code_(code), graph_(graph), effects_(effects), provenance_(provenance) {}

  // Everything that the call launches works on each element of its arrays alone, whichever function runs.
  bool is_elementwise(Site call) const;
  // Some launch in the loop, or behind a call in it, writes memory that the next iteration reads: weights that each
  // sample updates, a running sum. Memory that is written first in each iteration is no more than scratch memory.
  bool goes_on(int function, int loop) const { return carries(function, loop, {}); }
  // The same where each iteration adds an element to a list, whose last one, layers.back(), is then its own.
  bool goes_on_besides_last(int function, int loop) const { return carries(function, loop, {.last_is_own = true}); }
  // The same, but for sums that the loop's launches only add to: their order does not matter.
  bool goes_on_besides_sums(int function, int loop) const { return carries(function, loop, {.sums_do_not = true}); }
  // Everything that the loop enqueues works on arrays that the loop's variable picks, so that no iteration touches what
  // another one works on: each of several arrays gets its content.
  bool keeps_apart(int function, int loop) const;
  // kernel<<<...>>>(scores + i * n * n): all that the loop's kernels are given are parts of arrays, each at an offset
  // that its variable gives, and what they write for one iteration no other reads. A launch with one more dimension
  // runs a kernel for all parts.
  bool works_on_parts(int function, int loop) const;
  // What the call launches, as far as it is in sight, works on memory that the loop's variable picks; false where all
  // of it is shared by the iterations.
  bool works_on_element(Site call, int loop) const;
  // kernel<<<...>>>(i, all): the kernel finds the part of its arrays that it writes by a number that the loop counts.
  bool picks_slice(Site launch, int loop) const;
  // The same where that number is a parameter of the function around the launch.
  bool hands_on_slice(Site launch, int parameter) const;
  // The call leads to a layer of a network, with weights of its own, or to an optimizer of LibTorch, which changes
  // them.
  bool runs_layer(Site call) const;
  // What the call writes for one element may be what it reads for another: a layer's output is the next one's input.
  bool feeds_next(Site call) const;

 private:
  struct Access {
    facts::Sum address;
    bool shared = true;    // by all iterations of the loop that is asked for
    bool writes = false;   // else it only reads
    bool updates = false;  // one launch reads and writes it
    bool sums = false;     // it only adds to it
  };
  struct LeftOut {
    bool sums_do_not = false, last_is_own = false;
  };
  bool carries(int function, int loop, LeftOut left_out) const;
  // What the event itself launches is given.
  std::vector<Access> own_accesses(const Event& event, int loop) const;
  // The same of the event and of what it calls, by the parameters of the function that the event stands in.
  // `only_shared`: of what it calls, no more than the loop's iterations share.
  std::vector<Access> accesses_of(Site site, int loop, bool only_shared = false) const;
  // Local variables with memory that each of the loop's iterations makes and leaves: no other has it.
  std::set<std::string> left_behind(int function, int loop) const;
  // The event's launches write something, and nothing that two of the loop's iterations share.
  bool writes_own(Site site, int loop, const std::set<std::string>& left_behind) const;
  // What a function's launches are given, in order, by its parameters.
  const std::vector<Access>& accesses_in(int function) const;
  struct Fields {
    facts::TextSet read, written;
  };
  const Fields& fields_of(int function) const;

  const Code& code_;
  const CallGraph& graph_;
  const EffectTable& effects_;
  const Provenance& provenance_;
  // What it has read of the program's functions.
  mutable std::map<int, bool> elementwise_, layers_;
  mutable std::map<int, std::vector<Access>> accesses_;
  mutable std::map<int, Fields> fields_;
};

}  // namespace syncsniff::program
