// --fail-on for two recordings: a limit with a sign limits the change; a limit without a sign applies to the second
// recording only.
#pragma once

#include <string>
#include <vector>

#include "instrument/compare/comparison.h"
#include "instrument/report/gates.h"

namespace syncsniff::compare {

struct GateResult {
  std::vector<std::string> failed;  // one line each
  // Limits that are exceeded, but by less than the noise of the steps: these do not fail.
  std::vector<std::string> notes;
};

GateResult check_gates(const Comparison& change, const std::vector<report::Gate>& gates);

}  // namespace syncsniff::compare
