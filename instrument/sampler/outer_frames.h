// Finds the frames of a thread that makes no CUDA calls and so has no recorded stack: from the outermost frame inward,
// by the content of its stack. Needs neither registers nor symbols, and stops no thread.
#pragma once

#include <cstdint>
#include <vector>

#include "instrument/sampler/last_call.h"
#include "instrument/sampler/remote_memory.h"
#include "instrument/sampler/unwind_table.h"

namespace syncsniff::sampler {

class OuterFrames {
 public:
  // `top`: an address slightly above the thread's stack, such as that of its thread-local storage; 0: not known.
  OuterFrames(RemoteMemory& memory, ReturnAddresses& addresses, UnwindTable& table, uint64_t top)
      : memory_(memory), addresses_(addresses), table_(table), top_(top) {}
  // Returns return addresses, innermost first; empty: none are known. A word belongs to the frame above it if the
  // unwind table says that a call from that place puts its return address exactly there. The return address of the
  // innermost function's last call stays on the stack when that returns, so the host is in that call, or has returned
  // from it. `stack_pointer`: of a thread in a system call: its frames end there; 0: not known.
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
  uint64_t root_ = 0;  // address of the outermost return address; 0: not found yet
  unsigned searches_ = 0;
  std::vector<uint64_t> words_;
  uint64_t begin_ = 0;  // address of the first of words_
};

}  // namespace syncsniff::sampler
