// What each line of the user's source cost: calls, time blocked, GPU idle time known to follow it, host work exposed.
// These are sums of what the shim recorded; estimates are marked as such. All times are ns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "instrument/reader/places.h"
#include "instrument/reader/trace.h"
#include "instrument/timeline/steps.h"

namespace syncsniff::timeline {

struct Tally {
  uint64_t calls = 0;             // timed calls
  uint64_t in_call_ns = 0;        // host time inside the timed calls
  uint64_t blocked_ns = 0;        // part of it in calls that blocked the host: see is_blocked
  uint64_t idle_ns = 0;           // the GPU was known to be empty after these waits
  uint64_t idle_in_calls_ns = 0;  // of it, while the host was inside other timed CUDA calls; the rest is host work
  uint64_t exposed_ns = 0;        // from a wait's return to the same thread's next CUDA call
  uint64_t saving_ns = 0;         // idle, plus exposed time of waits that did not prove the device empty
  uint64_t bytes = 0;
  uint64_t polls = 0;
  uint64_t launches = 0;   // enqueued kernels (and other counted calls), not timed singly
  uint64_t launch_ns = 0;  // host time inside them
  Tally& operator+=(const Tally& other);
};

struct Site {
  reader::Place place;
  std::string api;
  trace::CallClass call_class = trace::CallClass::kOther;
  std::vector<uint32_t> stacks;  // every call path that reaches the line, ascending
  Tally run;                     // the whole recording
  Tally stepping;  // inside regular steps; counted calls by the share of their bursts (launches) or time in them
  Tally start_up;  // before the first regular step; no counted calls
  Tally left_out;  // between regular steps, in longer ones; no counted calls
  uint8_t host_memory = 0;  // bit (1 << trace::HostMemory) of every kind seen on either side of a copy
};

// Did this call wait for the device?
bool waited(const trace::CallRecord& call);
// Did it block the host: a wait, or a call that allocates, frees or loads code?
bool is_blocked(const trace::CallRecord& call);

// One site for each (stack, api), ordered by these: the join with findings needs to know the caller.
std::vector<Site> build_strands(const reader::Trace& trace, const reader::Places& places, const Steps& steps);

// Merges the strands of one line and api; ordered by run.saving_ns + run.blocked_ns, greatest first; ties by place.
std::vector<Site> merge_by_place(const std::vector<Site>& strands);

}  // namespace syncsniff::timeline
