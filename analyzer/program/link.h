// Links the facts of units to programs: decides which units form a program, and builds it.
#pragma once

#include <memory>
#include <vector>

#include "analyzer/program/program.h"

namespace syncsniff::program {

// The units of one program, as input for link().
struct Parts {
  std::vector<const facts::UnitFacts*> units;
  bool left_over = false;      // no main() reaches them
  bool beside_cuda = false;    // left over, and some unit of the project puts tensors on the GPU
  std::vector<size_t> beside;  // see UnitGroup; indices of other Parts
  bool of_interest = true;     // it contains a unit of interest
};
// Resolves gates that depend on other units (questions.h), groups the units (grouping.h), and resolves calls by a key,
// on an object of a known class, or through a launch helper (keyed_calls.h, known_receivers.h, launch_helpers.h).
// `of_interest`: one value per unit; empty: all are.
std::vector<Parts> find_programs(std::vector<facts::UnitFacts>& units, const ApiTable& apis,
                                 const std::vector<bool>& of_interest = {});
// `before`: the programs linked from earlier Parts, which include all those in `parts.beside`.
std::unique_ptr<Program> link(const Parts& parts, const ApiTable& apis, const Words& words,
                              const std::vector<std::unique_ptr<Program>>& before);
// find_programs() followed by link() for each program.
std::vector<std::unique_ptr<Program>> link_programs(std::vector<facts::UnitFacts>& units, const ApiTable& apis,
                                                    const Words& words);

}  // namespace syncsniff::program
