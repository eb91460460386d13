// Links the units and runs the checks, in one process or, if there is much code to check, in several at a time. Part of
// judge.h, which calls it in a worker.
#pragma once

#include <memory>
#include <vector>

#include "analyzer/checks/check.h"
#include "analyzer/isolation/progress.h"
#include "analyzer/judge.h"
#include "analyzer/program/link.h"

namespace syncsniff {

using Checks = std::vector<checks::CheckEntry>;

// Numbers of a worker's steps: step 0 is everything but the checks.
inline constexpr size_t kLinking = 0;
inline size_t step_of(size_t check) { return check + 1; }

struct Checked {
  std::vector<std::unique_ptr<program::Program>> programs;  // null: of no interest
  std::vector<Finding> findings;
  std::vector<PathStep> answers;
};

struct CheckingOptions {
  checks::RequestedLine requested;
  const Checks& checks;
  unsigned jobs = 1;
  isolation::Progress* progress = nullptr;
  std::vector<bool> of_interest = {};  // for each unit: programs without such a unit are not checked; empty: all are
};

Checked link_and_check(std::vector<facts::UnitFacts>& units, const Knowledge& known, const CheckingOptions& options);

// The amount of code in a unit that has to be linked and checked.
size_t weight(const facts::UnitFacts& unit);

}  // namespace syncsniff
