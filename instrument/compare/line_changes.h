// Lines of two recordings, paired: what each cost before and after.
#pragma once

#include <vector>

#include "instrument/compare/comparison.h"

namespace syncsniff::compare {

// `a_ns`, `b_ns`: the length of the step (or second) that the shares of either side refer to.
std::vector<LineChange> idle_changes(const DeviceFigures& a, const DeviceFigures& b, double a_ns, double b_ns);
std::vector<LineChange> call_changes(const CallFigures& a, const CallFigures& b);

}  // namespace syncsniff::compare
