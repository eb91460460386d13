// Pairs the lines of two recordings and computes what each line cost before and after.
#pragma once

#include <vector>

#include "instrument/compare/comparison.h"

namespace syncsniff::compare {

// `a_ns`, `b_ns`: length of the step (or second) that the shares of the recording refer to.
std::vector<LineChange> idle_changes(const DeviceFigures& a, const DeviceFigures& b, double a_ns, double b_ns);
std::vector<LineChange> call_changes(const CallFigures& a, const CallFigures& b);

}  // namespace syncsniff::compare
