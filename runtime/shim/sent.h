// Samples the bytes that a copy takes from the host to a device, to show whether the same bytes are sent again. Runs
// only while every call is listed.
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

// To be called before the real call, when the bytes are those that will be copied.
[[gnu::cold, gnu::noinline]] void sample_sent(Sent& sent, ThreadState& thread, const ApiInfo& info,
                                              const CopyShape& shape, const uint64_t* words) noexcept;
// To be called after the real call. `begin_ns`: begin of the call.
[[gnu::cold, gnu::noinline]] void write_sent(const Sent& sent, ThreadState& thread, uint64_t begin_ns) noexcept;

}  // namespace syncsniff::shim
