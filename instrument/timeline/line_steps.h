// Finds steps from listed calls alone, without windows: by the line, or the call path, whose calls come most regularly.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "instrument/reader/places.h"
#include "instrument/reader/trace.h"
#include "instrument/timeline/regular_steps.h"

namespace syncsniff::timeline {

struct LineSteps {
  std::vector<uint64_t> begins;  // the last one ends the step before it
  uint32_t stack = 0;            // a call path of the line
  double sure = 0;               // 0..1: the lesser of coverage and regularity
  size_t other_count = 0;        // number of steps by path if these are by line, or the other way round; 0: irrelevant
};

std::optional<LineSteps> steps_by_lines(const reader::Trace& trace, const reader::Places& places);

// True if any call waited for the GPU. Loading, allocating and freeing do not count.
bool anything_waits(const reader::Trace& trace);

// True if any call path waits often enough for its waits to be counted as steps.
bool waits_often(const reader::Trace& trace);

}  // namespace syncsniff::timeline
