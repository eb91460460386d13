// The last CUDA call of a thread, as the shim remembers it, and what the thread's stack says of where it went from
// there. Needs no registers, no unwinder and no symbols.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "instrument/sampler/remote_memory.h"
#include "instrument/sampler/trace_tail.h"
#include "runtime/trace/board.h"

namespace syncsniff::sampler {

struct LastCall {
  uint64_t frame = 0, return_address = 0, kernel = 0;
  uint64_t following[2] = {};
  uint32_t stack = 0;
  std::vector<uint32_t> offsets;  // of the return addresses from `frame`, innermost first
};

// False: there is none, or what lies there is none.
bool read_call(Snapshot& memory, const trace::HookLayout& layout, uint64_t place, LastCall& call);

// The stack of the call that the thread is inside: a launch is the last one only when it has returned. 0: not known.
uint32_t stack_in_flight(Snapshot& memory, const trace::HookLayout& layout, const LastCall& last, uint64_t frame,
                         uint64_t return_address);

// Is an address where a call returns to? Known objects and the bytes of the call before it tell.
class ReturnAddresses {
 public:
  ReturnAddresses(RemoteMemory& memory, const TraceTail& trace) : memory_(memory), trace_(trace) {}
  bool holds(uint64_t address);
  bool are_of_one_object(uint64_t a, uint64_t b) const { return trace_.module_of(a) == trace_.module_of(b); }

 private:
  RemoteMemory& memory_;
  const TraceTail& trace_;
  std::unordered_map<uint64_t, bool> known_;
};

// Return addresses of the frames that the thread is in now, innermost first, as far as they can be known. A caller's
// frame that is still there keeps the words that held its return addresses. So from the outermost one inward, the first
// word that is another than at the call holds where the frame around it went last: there the host is, or it has just
// come back from there. What lies further in is not known. All as they were: the thread is in the code that follows
// the call, and the answer is `recorded`.
std::vector<uint64_t> frames_since(Snapshot& memory, const LastCall& call, const std::vector<uint64_t>& recorded,
                                   uint32_t most_frames, ReturnAddresses& addresses);

}  // namespace syncsniff::sampler
