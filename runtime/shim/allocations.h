// Updates the shim's tables around calls that create or destroy something: memory ranges, streams, events, captures,
// contexts.
#pragma once

#include "runtime/shim/api_info.h"
#include "runtime/shim/record.h"

namespace syncsniff::shim {

// Called before the real call: removes what it destroys, since its address may be reused before the call has returned.
[[gnu::noinline]] void before_allocation_call(Call& call, const CallSite& site, const ApiInfo& info,
                                              const uint64_t* words) noexcept;
// Called after the real call: adds what it created.
[[gnu::noinline]] void after_allocation_call(Call& call, const CallSite& site, const ApiInfo& info,
                                             const uint64_t* words, int result) noexcept;

}  // namespace syncsniff::shim
