// What a program times: from one reading of a clock, or record of an event, to the next, in one function.
#pragma once

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

struct TimedSpan {
  int function = -1;
  int from = -1, to = -1;  // events: the first reading and the second
  int difference = -1;     // where they are subtracted; -1: in another function
  bool by_events = false;  // CUDA events, which the GPU itself reads the time of
};

// Spans in which every run that reaches the second reading has come by the first in the same iteration of each loop.
std::vector<TimedSpan> timed_spans(const Program& program);

bool reads_clock(const Program& program, Site site);

// Work that the call certainly puts on the GPU, in this function or further in.
bool puts_work(const Program& program, Site site);

}  // namespace syncsniff::checks
