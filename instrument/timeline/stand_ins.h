// Threads without a line of the user's program (autograd's engine, a runtime's workers) that launch for another thread,
// which waits for them: the line of that thread is reported.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "instrument/reader/places.h"
#include "instrument/reader/trace.h"
#include "instrument/timeline/regular_steps.h"

namespace syncsniff::timeline {

class StandIns {
 public:
  StandIns(const reader::Trace& trace, const reader::Places& places, const std::vector<Interval>& windows);
  // Where a thread of the program waited, in most cases, while a thread without a line of its own was at `stack`. 0:
  // not known, or not always the same line.
  uint32_t line_behind(uint32_t stack) const;

 private:
  struct Waiting {
    uint64_t time_ns;
    uint32_t tid, stack;
  };
  struct Votes {
    size_t number = 0, last = 0;  // last: which one of all it was
  };
  bool has_line(uint32_t stack);
  void vote(uint64_t time_ns, uint32_t tid, uint32_t stack);
  uint32_t winner(const std::map<uint32_t, Votes>& votes) const;
  const Waiting* nearest(uint64_t time_ns, uint32_t tid) const;

  const reader::Places& places_;
  std::vector<Waiting> waiting_;
  std::unordered_map<uint32_t, bool> has_line_;
  std::unordered_map<uint32_t, std::map<uint32_t, Votes>> votes_;  // stack -> the one that waited
  size_t voted_ = 0;
  std::unordered_map<uint32_t, uint32_t> behind_;
};

}  // namespace syncsniff::timeline
