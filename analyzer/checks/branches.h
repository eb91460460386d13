// Does the host use a value that it read back from the GPU to decide what the GPU does next?
#pragma once

#include <optional>

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

struct Decision {
  int function = -1, region = -1;  // the branch or the loop
  bool ends_loop = false;          // a loop's own condition, or `if (...) break;`
  bool finiteness = false;         // the condition tests whether numbers are finite
};

// `where.api` reads the value back: it is the call's result, or is written to its argument number `written`. Branches
// that only print the value, or keep it for later, decide nothing for the GPU.
std::optional<Decision> decision_by(const Program& program, const Located& where, int written);

// The same where `read` reads the value off memory that the host shares with the GPU.
std::optional<Decision> decision_by_read(const Program& program, Site read);

// Turns a read-back finding into one of branch-on-device if the host branches on the value.
void retell_as_branch(const Program& program, const Located& where, int written, Finding& finding,
                      const Reporter& reporter);
void retell_as_branch(const Program& program, const Located& where, const Decision& decision, Finding& finding,
                      const Reporter& reporter);

}  // namespace syncsniff::checks
