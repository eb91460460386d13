// --fail-on for two recordings: limits with a sign are on the change, others on the second recording alone.
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
