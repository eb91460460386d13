// Does the host decide by a value that it fetched from the GPU what the GPU does next?
#pragma once

#include <optional>

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

struct Decision {
  int function = -1, region = -1;  // the branch or the loop
  bool ends_loop = false;          // a loop's own condition, or `if (...) break;`
  bool finiteness = false;         // it asks whether numbers are finite
};

// `where.api` fetches the value: it is the call's result, or what the call writes to its argument `written`.
// Branches that only print, or keep the value for later, decide nothing for the GPU.
std::optional<Decision> decision_by(const Program& program, const Located& where, int written);

// Makes a finding of a read-back one of branch-on-device where the host decides by it.
void retell_as_branch(const Program& program, const Located& where, int written, Finding& finding,
                      const Reporter& reporter);

}  // namespace syncsniff::checks
