#include "instrument/timeline/gpu_timeline.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "instrument/timeline/gpu_clock.h"

namespace syncsniff::timeline {
namespace {

void count_kind(DeviceTimeline& device, uint8_t kind) {
  if (kind == static_cast<uint8_t>(trace::GpuWorkKind::kKernel))
    ++device.kernels;
  else if (kind == static_cast<uint8_t>(trace::GpuWorkKind::kSet))
    ++device.sets;
  else
    ++device.copies;
}

void sum_lines(DeviceTimeline& device, const reader::Trace& trace, const reader::Places& places) {
  std::map<std::tuple<IdleCause, std::string, std::string, uint32_t>, size_t> index;
  for (const IdleGap& gap : device.gaps) {
    IdleLine line;
    line.cause = gap.cause;
    line.place = places.user_place(gap.stack);
    if (gap.before_stack != 0) line.before = places.user_place(gap.before_stack);
    if (gap.api != 0) line.api = trace.api_name(gap.api);
    auto key =
        std::make_tuple(gap.cause, place_text(line.place) + "\n" + line.place.file, place_text(line.before), gap.api);
    auto [it, fresh] = index.try_emplace(std::move(key), device.lines.size());
    if (fresh) device.lines.push_back(std::move(line));
    device.lines[it->second].idle_ns += gap.interval.length();
    ++device.lines[it->second].gaps;
  }
  std::stable_sort(device.lines.begin(), device.lines.end(),
                   [](const auto& a, const auto& b) { return a.idle_ns > b.idle_ns; });
}

}  // namespace

const char* to_string(IdleCause cause) {
  switch (cause) {
    case IdleCause::kSync:
      return "sync";
    case IdleCause::kImplicitSync:
      return "implicit sync";
    case IdleCause::kLaunchBound:
      return "launch-bound";
    case IdleCause::kHostWork:
      return "host work";
    case IdleCause::kDependency:
      return "dependency";
    case IdleCause::kEndEffects:
      return "end effects";
    case IdleCause::kUnknown:
      break;
  }
  return "unknown";
}

std::vector<DeviceTimeline> build_gpu_timelines(const reader::Trace& trace, const reader::Places& places,
                                                const Steps& steps) {
  const GpuClock clock(trace.clock_pairs);
  struct Work {
    Interval interval;
    const trace::GpuWorkRecord* record;
  };
  std::map<uint32_t, std::vector<Work>> work;
  std::map<uint32_t, DeviceTimeline> devices;
  for (const auto& event : trace.gpu_work) {
    const Interval interval{clock.monotonic(event.record.begin_ns), clock.monotonic(event.record.end_ns)};
    if (interval.end < interval.begin) continue;
    work[event.record.device].push_back({interval, &event.record});
    count_kind(devices[event.record.device], event.record.kind);
  }
  const IdleBlame blame(trace);
  std::vector<DeviceTimeline> timelines;
  for (auto& [number, pieces] : work) {
    DeviceTimeline& device = devices[number];
    device.device = number;
    std::sort(pieces.begin(), pieces.end(),
              [](const Work& a, const Work& b) { return a.interval.begin < b.interval.begin; });
    device.span = {pieces.front().interval.begin, pieces.front().interval.begin};
    for (const auto& [interval, record] : pieces) {
      if (interval.begin > device.span.end) {
        device.gaps.push_back(blame.blame({device.span.end, interval.begin}, *record));
        IdleGap& gap = device.gaps.back();
        if (steps.before(gap.interval.begin) || steps.after(gap.interval.begin)) gap.cause = IdleCause::kEndEffects;
        device.idle_ns += gap.interval.length();
        device.idle_by_cause[static_cast<size_t>(gap.cause)] += gap.interval.length();
      }
      device.span.end = std::max(device.span.end, interval.end);
    }
    device.busy_ns = device.span.length() - device.idle_ns;
    sum_lines(device, trace, places);
    timelines.push_back(std::move(device));
  }
  return timelines;
}

}  // namespace syncsniff::timeline
