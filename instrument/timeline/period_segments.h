// Cuts sequences of enqueues at one symbol and computes how alike the segments are. Used by launch_period.cpp alone.
#pragma once

#include <cstddef>
#include <vector>

#include "instrument/timeline/launch_period.h"

namespace syncsniff::timeline {

struct Segment {
  size_t window = 0, begin = 0, end = 0;  // [begin, end) of that window
  size_t size() const { return end - begin; }
};
using Segments = std::vector<Segment>;  // complete ones, window by window

// The result of cutting at one symbol.
struct Cut {
  uint32_t symbol = 0;
  size_t segments = 0;
  double alike = 0, covers = 0;
  double kinds = 0;       // in the segments, by weight
  double repeating = 0;   // share of all enqueues in segments that are like their neighbour
  double compared = 0;    // share of all enqueues in segments that have a neighbour in their window
  double stepping = 0;    // share of those in segments that are like their neighbour, or do all that it does, and more
  size_t each_kinds = 0;  // of enqueues in one segment; median
  double optimizing = 0;  // share of the segments in which both an optimizer and other code launch
};

// Weight by symbol: 1, of a graph as much as the many launches that it stands for; 0 for symbols that do not occur.
std::vector<double> weights_of(const std::vector<EnqueueWindow>& windows);

Segments segments_at(const std::vector<EnqueueWindow>& windows, uint32_t symbol);

// Alikeness: for each symbol, the sum over neighbouring segments of the smaller number of occurrences, divided by the
// sum of the larger one; then the weighted mean over all symbols, however often they occur, so that an optimizer's
// thousand equal launches do not outvote the rest.
Cut cut_at(const std::vector<EnqueueWindow>& windows, const std::vector<double>& weights, uint32_t symbol);

// Symbols with exactly one occurrence in (nearly) every segment.
std::vector<uint32_t> once_each(const std::vector<EnqueueWindow>& windows, const Segments& segments, size_t symbols);

size_t median_enqueues(const Segments& segments);

}  // namespace syncsniff::timeline
