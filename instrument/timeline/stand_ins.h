// Finds the line for launches by threads without a line of the user's program (autograd's engine, a runtime's workers):
// such a thread launches for another thread, which waits for it, and that thread's line is reported.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "instrument/reader/places.h"
#include "instrument/reader/trace.h"
#include "instrument/timeline/regular_steps.h"

namespace syncsniff::timeline {

// A sample of a thread that sleeps, or waits for a lock, a read or another process, outside of CUDA.
bool waits(const trace::SampleRecord& sample);

class StandIns {
 public:
  StandIns(const reader::Trace& trace, const reader::Places& places, const std::vector<Interval>& windows);
  // The stack at which a thread of the program mostly waited while a thread without a line of its own was at `stack`.
  // If that is not always the same line (two backward passes of one network): where it waits after the last call that
  // it had made at `time_ns`. 0: not known.
  uint32_t line_behind(uint32_t stack, uint64_t time_ns) const;

 private:
  struct Waiting {
    uint64_t time_ns;
    uint32_t tid, stack;
  };
  struct Votes {
    size_t number = 0, last = 0;  // last: sequence number of the latest vote
  };
  using VotesByStack = std::map<uint32_t, Votes>;  // by the stack of the thread that waited
  struct Call {
    uint64_t time_ns;
    uint32_t stack;
  };
  bool has_line(uint32_t stack);
  void vote(uint64_t time_ns, uint32_t tid, uint32_t stack);
  void add_vote(VotesByStack& votes, uint32_t waiting);
  uint32_t winner(const VotesByStack& votes) const;
  const Waiting* nearest(uint64_t time_ns, uint32_t tid) const;
  void list_calls(const reader::Trace& trace, const std::vector<Interval>& windows);
  uint32_t last_call(uint32_t tid, uint64_t time_ns) const;  // stack of its last call before time_ns; 0: none

  const reader::Places& places_;
  std::vector<Waiting> waiting_;
  std::unordered_map<uint32_t, bool> has_line_;
  std::unordered_map<uint32_t, VotesByStack> votes_;  // by the stack of the thread without lines
  size_t voted_ = 0;
  std::unordered_map<uint32_t, uint32_t> behind_;
  std::unordered_map<uint32_t, uint32_t> waiter_;          // by such a stack: the thread that waited for it last
  std::unordered_map<uint32_t, std::vector<Call>> calls_;  // in windows, by thread that waited
  std::unordered_map<uint32_t, uint32_t> after_call_;  // stack of the last call -> stack of the wait that follows it
};

}  // namespace syncsniff::timeline
