// Finds bytes that were copied to a device again unchanged, line by line: an earlier copy, from any host address, had
// brought the same bytes there, judging by the samples that the shim takes of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "instrument/reader/places.h"
#include "instrument/reader/trace.h"
#include "instrument/timeline/steps.h"

namespace syncsniff::timeline {

// The sampled copies of one line.
struct SentLine {
  reader::Place place, inner;  // as in HostLine
  std::string api;
  uint8_t host_memory = 0;                          // bit (1 << trace::HostMemory)
  uint64_t copies = 0, bytes = 0;                   // of all sampled copies
  uint64_t again = 0, again_bytes = 0;              // part of them: copies whose bytes were sent before
  uint64_t again_ns = 0;                            // host time in those calls
  uint64_t again_contents = 0, contents_bytes = 0;  // number of different contents among those, and their total size
};

struct SentAgain {
  double steps = 0;             // whole steps in windows, to which the figures refer; 0: they refer to all windows
  uint64_t span_ns = 0;         // of those steps, or of the windows
  std::vector<SentLine> lines;  // those that sent something again; most bytes first
};

SentAgain find_sent_again(const reader::Trace& trace, const reader::Places& places, const Steps& steps);

// True if the repeated copies are enough of what the line sends, and of the time, to be reported.
bool is_worth_telling(const SentLine& line, const SentAgain& all);

}  // namespace syncsniff::timeline
