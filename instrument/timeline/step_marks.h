// Finds where steps begin, once their number is known: the call path (or else line) that occurs about as often among
// the calls that the trace lists singly. Does not depend on how the steps were counted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "instrument/reader/places.h"
#include "instrument/reader/trace.h"

namespace syncsniff::timeline {

struct StepMarks {
  std::vector<uint64_t> begins;  // ascending
  uint32_t stack = 0;
};

// A call path that occurs once a step: its listed calls, or its bursts of work, occur `count` times (within 2 %) with
// few gaps, and cover at least half of the span of the steps, `first_ns` to `last_ns`. If several do, the first in a
// step.
std::optional<StepMarks> marks_of(const reader::Trace& trace, const reader::Places& places, size_t count,
                                  uint64_t first_ns, uint64_t last_ns);

// All listed calls and bursts of one line, without calls listed only because of a window. `file`: "train.py" or any end
// of the path.
StepMarks marks_at(const reader::Trace& trace, const reader::Places& places, const std::string& file, uint32_t line);

// Lines with the number of their listed calls and bursts, most frequent first: "train.py:30 (800 times)".
std::vector<std::string> listed_lines(const reader::Trace& trace, const reader::Places& places);

}  // namespace syncsniff::timeline
