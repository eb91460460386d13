#include "analyzer/program/heat.h"

#include <algorithm>

namespace syncsniff::program {

void Heat::run_by(By what, const Code& code, int function) {
  hot = true;
  by = what;
  called = &code.function(function).name.str();
  depth = 0;
  loop_function = function;
  loop_region = 0;
}

long Heat::score() const {
  if (!reached || dropped) return reached ? 0 : -1;
  if (by == By::kEachCall) return 10 + 10 * static_cast<long>(severity) - std::min(depth, 9);
  if (!hot) return 1 + (from_main ? 1 : 0) + (severity == Severity::kHigh ? 2 : 0) + (first_use ? 0 : 4);
  // The highest severity that Hotness::settle() will leave.
  const Severity most = checks_only                      ? Severity::kLow
                        : between_epochs || between_runs ? Severity::kMedium
                                                         : Severity::kHigh;
  const bool of_main = from_main && !checks_only;
  // A function may call itself once to swap its arguments, so a loop is the better reason for heat.
  const int far = by == By::kRecursion ? 9 : std::min(depth, 9);
  return 100 + 20 * static_cast<long>(std::min(severity, most)) + (of_main ? 10 : 0) - far;
}

}  // namespace syncsniff::program
