// The last CUDA call of a thread, as the shim stored it, and the frames that the thread has entered since, read from
// its stack. Needs no registers, no unwinder and no symbols.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "instrument/sampler/objects.h"
#include "instrument/sampler/remote_memory.h"
#include "runtime/trace/board.h"

namespace syncsniff::sampler {

struct LastCall {
  uint64_t frame = 0, return_address = 0;
  uint32_t stack = 0;
  std::vector<uint32_t> offsets;  // of the return addresses, in bytes from `frame`, innermost first
};

// Reads the call at `place`. Returns false if there is none, or the memory there does not hold one.
bool read_call(Snapshot& memory, const trace::HookLayout& layout, uint64_t place, LastCall& call);

// Decides whether an address is a return address: from the known objects and the bytes of the call instruction before
// it.
class ReturnAddresses {
 public:
  ReturnAddresses(RemoteMemory& memory, const Objects& objects) : memory_(memory), objects_(objects) {}
  bool holds(uint64_t address);
  bool are_of_one_object(uint64_t a, uint64_t b) const { return objects_.module_of(a) == objects_.module_of(b); }

 private:
  RemoteMemory& memory_;
  const Objects& objects_;
  std::unordered_map<uint64_t, bool> known_;
};

// Return addresses of the frames that the thread is in now, innermost first, as far as they can be known. The frame of
// a caller that is still running keeps its words with return addresses. So from the outermost frame inward, the first
// word that differs from its value at the CUDA call is the return address of the last call made there: the host is in
// that call, or has just returned from it. Frames further in are unknown. If all words are unchanged, the thread is in
// the code that follows the CUDA call, and the result is `recorded`.
std::vector<uint64_t> frames_since(Snapshot& memory, const LastCall& call, const std::vector<uint64_t>& recorded,
                                   uint32_t most_frames, ReturnAddresses& addresses);

}  // namespace syncsniff::sampler
