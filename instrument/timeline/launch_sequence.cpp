#include "instrument/timeline/launch_sequence.h"

namespace syncsniff::timeline {

using reader::Trace;
using trace::CallClass;

EnqueueKey key_of(const trace::CallRecord& call) {
  const bool launch = call.call_class == static_cast<uint8_t>(CallClass::kLaunch);
  return {call.stack, call.api, launch ? call.object : 0};
}

bool is_of_a_step(const trace::CallRecord& call) {
  const auto call_class = static_cast<CallClass>(call.call_class);
  return call_class == CallClass::kLaunch || call_class == CallClass::kCopy || call_class == CallClass::kWait ||
         (call_class == CallClass::kOther && (call.flags & trace::kInWindow) != 0);
}

LaunchSequence::LaunchSequence(const Trace& trace, const reader::Places& places, uint32_t device, bool by_kernel)
    : trace_(trace), places_(places), device_(device), by_kernel_(by_kernel) {
  const std::vector<Interval> windows = find_windows(trace);
  windows_.resize(windows.size());
  for (const auto& event : trace.calls)
    if (event.record.device == device && is_of_a_step(event.record)) ++seen_[key_of(event.record)];
  for (const auto& event : trace.calls) add(event.record, windows);
}

bool LaunchSequence::in_optimizer(uint32_t stack) {
  auto [it, fresh] = optimizers_.try_emplace(stack, false);
  if (fresh) it->second = places_.part(stack) == reader::StepPart::kOptimizer;
  return it->second;
}

void LaunchSequence::add(const trace::CallRecord& call, const std::vector<Interval>& windows) {
  if (call.device != device_ || !is_of_a_step(call)) return;
  const Interval* window = interval_at(windows, call.begin_ns);
  if (window == nullptr) return;
  EnqueueKey key = key_of(call);
  if (!by_kernel_ || seen_[key] == 1) key.object = 0;  // a handle that occurs once does not identify a kernel
  auto [it, fresh] = numbers_.try_emplace(key, static_cast<uint32_t>(keys_.size()));
  if (fresh) keys_.push_back(key);
  const bool launch = call.call_class == static_cast<uint8_t>(CallClass::kLaunch);
  const bool graph = launch && trace_.api_name(call.api).rfind("cuGraphLaunch", 0) == 0;
  windows_[static_cast<size_t>(window - windows.data())].push_back({it->second,
                                                                    graph    ? EnqueueKind::kGraph
                                                                    : launch ? EnqueueKind::kKernel
                                                                             : EnqueueKind::kOther,
                                                                    call.begin_ns, in_optimizer(call.stack)});
}

}  // namespace syncsniff::timeline
