// Bookkeeping around calls that make or end something: memory ranges, streams, events, captures, contexts.
#pragma once

#include "runtime/shim/api_info.h"
#include "runtime/shim/record.h"

namespace syncsniff::shim {

// Before the real call: what it ends (an address may be given out again before the call has returned).
[[gnu::noinline]] void before_allocation_call(Call& call, const CallSite& site, const ApiInfo& info,
                                              const uint64_t* words) noexcept;
// After it: what it made.
[[gnu::noinline]] void after_allocation_call(Call& call, const CallSite& site, const ApiInfo& info,
                                             const uint64_t* words, int result) noexcept;

}  // namespace syncsniff::shim
