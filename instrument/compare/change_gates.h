// --fail-on for two recordings: a limit with a sign applies to the change, one without to the second recording only.
#pragma once

#include <string>
#include <vector>

#include "instrument/compare/comparison.h"
#include "instrument/report/gates.h"

namespace syncsniff::compare {

struct GateResult {
  std::vector<std::string> failed;  // one line each
  std::vector<std::string> notes;   // beyond the limit, but within the noise of the steps: not failed
};

GateResult check_gates(const Comparison& change, const std::vector<report::Gate>& gates);

}  // namespace syncsniff::compare
