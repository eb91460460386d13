// Pieces of host work: functions of the program that never call CUDA, themselves or through what they call, such as a
// collator, an augmentation or a metric on the host. All time in one is one row: the reader of a report fixes the
// function, and its dozens of lines would each be too small to list.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "instrument/reader/places.h"
#include "instrument/reader/trace.h"

namespace syncsniff::timeline {

// A line with a share of a piece's time; it may be in a function that the piece calls.
struct LineOfWork {
  reader::Place place;
  double share = 0;
};

class HostWork {
 public:
  HostWork(const reader::Trace& trace, const reader::Places& places);
  // The outermost function of the program on the stack that has no CUDA call beneath it; nullptr if the innermost frame
  // is in a library, or in a function that has CUDA calls beneath it.
  const reader::Frame* piece_of(uint32_t stack) const;

 private:
  using Function = std::pair<std::string, std::string>;  // file and name
  void add_callers(uint32_t stack);

  const reader::Places& places_;
  std::set<Function> calling_;  // functions with a CUDA call beneath them
  std::set<uint32_t> added_;    // stacks that were already processed
};

// The time of one piece, by line.
class WorkTimes {
 public:
  // `piece`: the frame that HostWork gave for the stack; `at`: the innermost line of the program on it.
  void add(const reader::Frame& piece, const reader::Place& at, uint64_t ns);
  // The piece's own line with the most time.
  reader::Place place() const;
  // At most three lines, greatest share first, each with at least a tenth of the time; empty if place() says it all.
  std::vector<LineOfWork> lines() const;

 private:
  std::map<uint32_t, uint64_t> own_;  // by line of the piece
  std::map<std::string, std::pair<reader::Place, uint64_t>> inner_;
  std::string file_, function_;
  uint64_t ns_ = 0;
};

}  // namespace syncsniff::timeline
