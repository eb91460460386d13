// Finds out whether the host uses a value that it read back from the GPU to decide what the GPU does next.
#pragma once

#include <optional>

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

struct Decision {
  int function = -1, region = -1;  // the branch or the loop
  bool ends_loop = false;          // a loop's own condition, or `if (...) break;`
  bool finiteness = false;         // the condition tests whether numbers are finite
};

// The decision that depends on a value read back by `where.api`. The value is the call's result, or is written to its
// argument number `written`. Branches that only print the value or store it for later do not count.
std::optional<Decision> decision_by(const Program& program, const Located& where, int written);

// The same for a value that `read` reads from memory shared by host and GPU.
std::optional<Decision> decision_by_read(const Program& program, Site read);

// Turns a finding about a read-back into a branch-on-device finding if the host branches on the value.
void report_as_branch(const Program& program, const Located& where, int written, Finding& finding,
                      const Reporter& reporter);
void report_as_branch(const Program& program, const Located& where, const Decision& decision, Finding& finding,
                      const Reporter& reporter);

}  // namespace syncsniff::checks
