// From the facts of units to programs: which units make one, and the program that they make.
#pragma once

#include <memory>
#include <vector>

#include "analyzer/program/program.h"

namespace syncsniff::program {

// What is linked together.
struct Parts {
  std::vector<const facts::UnitFacts*> units;
  bool left_over = false;      // no main() reaches them
  bool beside_cuda = false;    // left over, and some unit of the project puts tensors on the GPU
  std::vector<size_t> beside;  // see UnitGroup: numbers of parts
  bool of_interest = true;     // some unit is
};
// Answers what the units ask each other (questions.h), groups them (grouping.h), and names what they call by a key, on
// an object of a known class, or through a helper that launches kernels (keyed_calls.h and its neighbours).
// `of_interest`: one a unit; empty: all are.
std::vector<Parts> find_programs(std::vector<facts::UnitFacts>& units, const ApiTable& apis,
                                 const std::vector<bool>& of_interest = {});
// `before`: the programs of the parts before it, of which those that it is beside are linked.
std::unique_ptr<Program> link(const Parts& parts, const ApiTable& apis, const Words& words,
                              const std::vector<std::unique_ptr<Program>>& before);
// Both.
std::vector<std::unique_ptr<Program>> link_programs(std::vector<facts::UnitFacts>& units, const ApiTable& apis,
                                                    const Words& words);

}  // namespace syncsniff::program
