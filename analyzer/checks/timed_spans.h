// The time spans that a program measures: in one function, between two readings of a clock or between two recorded
// events.
#pragma once

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

struct TimedSpan {
  int function = -1;
  int from = -1, to = -1;  // events: the first reading and the second
  int difference = -1;     // the event that subtracts the readings; -1: it is in another function
  bool by_events = false;  // measured with CUDA events, whose times the GPU takes
};

// Spans whose second reading is reached only through the first, within the same iteration of each loop.
std::vector<TimedSpan> timed_spans(const Program& program);

bool reads_clock(const Program& program, Site site);

// Whether the call certainly enqueues GPU work, itself or through calls.
bool puts_work(const Program& program, Site site);

}  // namespace syncsniff::checks
