// The time spans that a program measures: between two readings of a clock, or two recorded events, in one function.
#pragma once

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

struct TimedSpan {
  int function = -1;
  int from = -1, to = -1;  // events: the first reading and the second
  int difference = -1;     // where they are subtracted; -1: in another function
  bool by_events = false;  // measured with CUDA events, whose times the GPU takes
};

// Spans in which every run that reaches the second reading has come by the first in the same iteration of each loop.
std::vector<TimedSpan> timed_spans(const Program& program);

bool reads_clock(const Program& program, Site site);

// GPU work that the call is certain to enqueue, itself or through calls.
bool puts_work(const Program& program, Site site);

}  // namespace syncsniff::checks
