// What a call in a loop does on the GPU for the element of one iteration: update that element alone, which one launch
// can do for all elements, or a step that the next iteration goes on from.
#pragma once

#include <map>
#include <vector>

#include "analyzer/facts/sums.h"
#include "analyzer/program/program.h"

namespace syncsniff::program {

class ElementShare {
 public:
  explicit ElementShare(const Program& program) : program_(program) {}

  // Everything that the call launches works on each element of its arrays alone, whichever function runs.
  bool is_elementwise(Site call);
  // Some launch in the loop, or behind a call in it, writes memory that the next iteration reads: weights that each
  // sample updates, a running sum. Memory that is written first in each iteration is no more than scratch memory.
  bool goes_on(int function, int loop);
  // Everything that the loop enqueues works on arrays that the loop's variable picks, so that no iteration touches what
  // another one works on: each of several arrays gets its content.
  bool keeps_apart(int function, int loop);
  // The call leads to a layer of a network, with weights of its own, or to an optimizer of LibTorch, which changes them.
  bool runs_layer(Site call);
  // What the call writes for one element may be what it reads for another: a layer's output is the next one's input.
  bool feeds_next(Site call);

 private:
  struct Access {
    facts::Sum address;
    bool shared = true;    // by all iterations of the loop that is asked for
    bool writes = false;   // else it only reads
    bool updates = false;  // one launch reads and writes it
  };
  // What the launches of one event are given, by the parameters of the function that the event stands in.
  std::vector<Access> accesses_of(Site site, int loop);
  // What a function's launches are given, in order, by its parameters.
  const std::vector<Access>& accesses_in(int function);
  struct Fields {
    facts::TextSet read, written;
  };
  const Fields& fields_of(int function);

  const Program& program_;
  std::map<int, bool> elementwise_, layers_;
  std::map<int, std::vector<Access>> accesses_;
  std::map<int, Fields> fields_;
};

}  // namespace syncsniff::program
