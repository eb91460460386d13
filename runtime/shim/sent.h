// Samples of the bytes that a copy takes from the host to a device: they show whether the same bytes are sent again.
// Only while every call is listed.
#pragma once

#include <cstdint>

namespace syncsniff::shim {

struct ApiInfo;
struct CopyShape;
struct ThreadState;

struct Sent {
  uint64_t address, bytes, hash;
  uint16_t varied;
  bool sampled;
};

// Before the call, when its bytes are those that it will take.
[[gnu::cold, gnu::noinline]] void sample_sent(Sent& sent, ThreadState& thread, const ApiInfo& info,
                                              const CopyShape& shape, const uint64_t* words) noexcept;
// After it: the driver has taken it. `begin_ns`: the call's.
[[gnu::cold, gnu::noinline]] void write_sent(const Sent& sent, ThreadState& thread, uint64_t begin_ns) noexcept;

}  // namespace syncsniff::shim
