// The frames of a thread that makes no CUDA calls, so that nothing of its stack is recorded: found from the outermost
// frame inward, by what its stack holds. Needs neither registers nor symbols, and stops nobody.
#pragma once

#include <cstdint>
#include <vector>

#include "instrument/sampler/last_call.h"
#include "instrument/sampler/remote_memory.h"
#include "instrument/sampler/unwind_table.h"

namespace syncsniff::sampler {

class OuterFrames {
 public:
  // `top`: an address shortly above the thread's stack, such as that of its thread-local storage; 0: not known.
  OuterFrames(RemoteMemory& memory, ReturnAddresses& addresses, UnwindTable& table, uint64_t top)
      : memory_(memory), addresses_(addresses), table_(table), top_(top) {}
  // Return addresses, innermost first; empty: none is known. A word belongs to the frame above it if the unwind table
  // says that a call from that place has its return address exactly there. What the innermost function called last
  // stays on the stack when it returns, so that the host is in that call, or has returned from it. `stack_pointer`: of
  // a thread in a system call, which tells where its frames end; 0: not known.
  std::vector<uint64_t> read(uint64_t stack_pointer);

 private:
  struct Frame {
    uint64_t at = 0, return_address = 0;
  };
  bool take(uint64_t high, uint64_t bytes);
  uint64_t word(uint64_t address) const;
  bool find_root(Frame& root, Frame& next);
  template <class Accept>
  bool find_below(const Frame& frame, Frame& found, Accept accept);
  static bool is_exact(const Frame& frame, const FrameRule& rule, const Frame& caller);
  bool is_called_from(const Frame& frame, const Frame& caller);
  bool has_exact_callee(const Frame& frame);
  bool find_next(const Frame& caller, Frame& next);
  uint64_t target_of_call(uint64_t return_address);

  RemoteMemory& memory_;
  ReturnAddresses& addresses_;
  UnwindTable& table_;
  const uint64_t top_;
  uint64_t root_ = 0;  // where the outermost return address lies; 0: not found yet
  unsigned searches_ = 0;
  std::vector<uint64_t> words_;
  uint64_t begin_ = 0;  // address of the first of them
};

}  // namespace syncsniff::sampler
