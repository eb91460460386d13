// What a call in a loop does on the GPU for the element of one iteration. Either it updates only that element, so that
// one launch could process all elements, or it makes a step whose result the next iteration continues from.
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

  // Whether everything that the call launches works on each element of its arrays alone, whichever callee runs.
  bool is_elementwise(Site call) const;
  // Whether a launch in the loop, or one that a call in it leads to, writes memory that the next iteration reads:
  // weights that each sample updates, a running sum. Memory that each iteration writes before reading it is scratch
  // memory and does not count.
  bool goes_on(int function, int loop) const { return carries(function, loop, {}); }
  // The same if each iteration adds an element to a list: the last element, layers.back(), then belongs to this
  // iteration.
  bool goes_on_besides_last(int function, int loop) const { return carries(function, loop, {.last_is_own = true}); }
  // The same without sums to which the loop's launches only add, since their order does not matter.
  bool goes_on_besides_sums(int function, int loop) const { return carries(function, loop, {.sums_do_not = true}); }
  // Whether everything that the loop enqueues works on arrays selected by the loop variable, so that no iteration
  // accesses another one's arrays, as in a loop that fills several arrays.
  bool keeps_apart(int function, int loop) const;
  // Whether the loop's kernels get only parts of arrays, each at an offset that depends on the loop variable, and no
  // other iteration reads what one iteration writes: kernel<<<...>>>(scores + i * n * n). One launch with an additional
  // grid dimension could then process all parts.
  bool works_on_parts(int function, int loop) const;
  // Whether the launches of the call, as far as their source is known, work on memory selected by the loop variable;
  // false if all iterations share all of it.
  bool works_on_element(Site call, int loop) const;
  // Whether the kernel computes the part of its arrays that it writes from the loop's counter: kernel<<<...>>>(i, all).
  bool picks_slice(Site launch, int loop) const;
  // The same, where the counter is a parameter of the function that launches.
  bool hands_on_slice(Site launch, int parameter) const;
  // The bodies of the kernels that the launch may start: several where it starts one through a pointer. Empty: not all
  // of them are known.
  std::vector<const facts::KernelBody*> kernels_of(Site launch) const;
  // Whether the call leads to a layer of a network, which has its own weights, or to an optimizer of LibTorch, which
  // updates weights.
  bool runs_layer(Site call) const;
  // Whether the call may write for one element what it reads for another: a layer's output is the next layer's input.
  bool feeds_next(Site call) const;

 private:
  struct Access {
    facts::Sum address;
    bool shared = true;    // by all iterations of the loop in question
    bool writes = false;   // false: it only reads
    bool updates = false;  // one launch both reads and writes it
    bool sums = false;     // the launch only adds to it
  };
  struct LeftOut {
    bool sums_do_not = false, last_is_own = false;
  };
  // The addresses that the launches of an iteration have read, written and added to so far.
  struct Carried {
    std::set<std::string> read_first, written, summed;
    bool goes_on(const Access& access, const std::string& address, bool sums_do_not);
  };
  bool carries(int function, int loop, LeftOut left_out) const;
  // Whether each launch that the function leads to works on each element of its arrays alone.
  bool launches_elementwise(int function) const;
  // The memory passed to the event's own launch.
  std::vector<Access> own_accesses(Site site, int loop) const;
  // The same for the event and the functions that it calls, expressed in parameters of the event's function.
  // `only_shared`: of the called functions, only memory that all iterations share.
  std::vector<Access> accesses_of(Site site, int loop, bool only_shared = false) const;
  // Local variables with memory that each iteration of the loop allocates and does not free, so that no two iterations
  // share it.
  std::set<std::string> left_behind(int function, int loop) const;
  // Whether the event's launches write something, but nothing that two iterations of the loop share.
  bool writes_own(Site site, int loop, const std::set<std::string>& left_behind) const;
  // The memory passed to the launches of a function, in order, expressed in the function's parameters.
  const std::vector<Access>& accesses_in(int function) const;
  struct Fields {
    facts::TextSet read, written;
  };
  const Fields& fields_of(int function) const;
  void add_fields_passed(const Event& event, Fields& out) const;

  const Code& code_;
  const CallGraph& graph_;
  const EffectTable& effects_;
  const Provenance& provenance_;
  // Caches by function.
  mutable std::map<int, bool> elementwise_, layers_;
  mutable std::map<int, std::vector<Access>> accesses_;
  mutable std::map<int, Fields> fields_;
};

}  // namespace syncsniff::program
