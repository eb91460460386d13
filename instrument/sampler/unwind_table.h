// Finds where a function's frame is while a call that it made is running, from the .eh_frame in the memory of the
// watched process: no file is opened, and every byte may be wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "instrument/sampler/objects.h"
#include "instrument/sampler/remote_memory.h"

namespace syncsniff::sampler {

// How to compute the canonical frame address (CFA; the return address is 8 bytes below it) from a register.
struct FrameRule {
  enum class Base : uint8_t { kUnknown, kStackPointer, kFramePointer };
  Base base = Base::kUnknown;
  uint64_t offset = 0;    // CFA minus the register
  uint64_t function = 0;  // address of its first instruction; 0: no function is known there
  uint32_t length = 0;    // of the function, in bytes
};

class UnwindTable {
 public:
  UnwindTable(RemoteMemory& memory, const Objects& objects) : memory_(memory), objects_(objects) {}
  // The rule at the call that returns to `return_address`.
  FrameRule at_call(uint64_t return_address);
  // True if `address` is the first instruction of a function.
  bool begins_function(uint64_t address) { return address != 0 && rule_at(address).function == address; }
  // True if the function that begins at `function` ends in a jump to `other` (a tail call), which then takes over its
  // frame.
  bool jumps_to(uint64_t function, uint64_t other);

 private:
  struct Index {  // the sorted table of .eh_frame_hdr
    uint64_t header = 0, entries = 0;
    uint32_t count = 0;
  };
  FrameRule rule_at(uint64_t address);
  const Index& index_of(uint64_t module);
  bool find_header(uint64_t module, uint64_t& header);
  uint64_t description_of(const Index& index, uint64_t address);
  FrameRule read_description(uint64_t description, uint64_t address);

  RemoteMemory& memory_;
  const Objects& objects_;
  std::unordered_map<uint64_t, Index> indexes_;    // by start address of the object
  std::unordered_map<uint64_t, FrameRule> known_;  // by address
};

}  // namespace syncsniff::sampler
