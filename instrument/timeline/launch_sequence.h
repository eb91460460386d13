// What one device was given in the windows of a trace, as a sequence of small numbers. It is the input of the searches
// for steps.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "instrument/reader/places.h"
#include "instrument/reader/trace.h"
#include "instrument/timeline/launch_period.h"
#include "instrument/timeline/windows.h"

namespace syncsniff::timeline {

// What is enqueued, and from where. For a graph the object is its handle, which a program may create anew each time.
struct EnqueueKey {
  uint32_t stack = 0;
  uint16_t api = 0;
  uint64_t object = 0;
  auto operator<=>(const EnqueueKey&) const = default;
};

EnqueueKey key_of(const trace::CallRecord& call);

// True for calls that enqueue work or wait for it. Polls and allocations are left out, since their number varies from
// step to step.
bool is_of_a_step(const trace::CallRecord& call);

// The enqueues of one device in windows, from all threads, since a backward pass may have a thread of its own.
class LaunchSequence {
 public:
  // `by_kernel`: a kind is a call path and a kernel; otherwise the path alone.
  LaunchSequence(const reader::Trace& trace, const reader::Places& places, uint32_t device, bool by_kernel);
  const std::vector<EnqueueWindow>& windows() const { return windows_; }
  const EnqueueKey& key(uint32_t symbol) const { return keys_[symbol]; }

 private:
  void add(const trace::CallRecord& call, const std::vector<Interval>& windows);

  bool in_optimizer(uint32_t stack);

  const reader::Trace& trace_;
  const reader::Places& places_;
  uint32_t device_;
  bool by_kernel_;
  std::map<EnqueueKey, size_t> seen_;
  std::map<uint32_t, bool> optimizers_;  // by stack
  std::map<EnqueueKey, uint32_t> numbers_;
  std::vector<EnqueueKey> keys_;
  std::vector<EnqueueWindow> windows_;
};

}  // namespace syncsniff::timeline
