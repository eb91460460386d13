// Predicts, with the replay, what fixing the report's lines would gain; see docs/how-the-numbers-are-made.md.
#pragma once

#include <vector>

#include "instrument/report/verdicts.h"

namespace syncsniff::report {

// Fills alone_ns and saves_ns of every measured line. Returns what a step (without steps: the run) gains if all lines
// but the cheap ones are fixed; 0 if nothing can be predicted, and then both members are upper bounds.
double predict_savings(const timeline::Analysis& analysis, std::vector<Line>& lines);

}  // namespace syncsniff::report
