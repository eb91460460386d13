#include "instrument/timeline/gpu_timeline.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "instrument/timeline/gpu_clock.h"
#include "instrument/timeline/launched_steps.h"
#include "instrument/timeline/median.h"
#include "instrument/timeline/window_replay_build.h"
#include "instrument/timeline/windows.h"

namespace syncsniff::timeline {
namespace {

struct DeviceWork {
  Interval interval;
  const trace::GpuWorkRecord* record;
};

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
    auto key = std::make_tuple(gap.cause, line_key(line.place), place_text(line.before), gap.api);
    auto [it, fresh] = index.try_emplace(std::move(key), device.lines.size());
    if (fresh) device.lines.push_back(std::move(line));
    device.lines[it->second].idle_ns += gap.interval.length();
    ++device.lines[it->second].gaps;
  }
  std::stable_sort(device.lines.begin(), device.lines.end(),
                   [](const auto& a, const auto& b) { return a.idle_ns > b.idle_ns; });
}

Interval overlap(const Interval& a, const Interval& b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }

// Walks over the work of one device in one window, sorted by begin. Calls `gap` with each idle interval and the work
// that ended it (nullptr: the window ended first). What ran when the window was opened is not known, so the known span
// begins with the first work. Returns this span.
template <class Gap>
Interval walk(const std::vector<DeviceWork>& pieces, const Interval& window, Gap gap) {
  Interval span{pieces.front().interval.begin, pieces.front().interval.begin};
  for (const DeviceWork& work : pieces) {
    const uint64_t begin = std::min(work.interval.begin, window.end);
    if (begin > span.end) gap(Interval{span.end, begin}, begin < window.end ? work.record : nullptr);
    span.end = std::max(span.end, std::min(work.interval.end, window.end));
  }
  // If the window has an end, all work until then is known; otherwise nothing is known after the last work.
  if (window.end != UINT64_MAX && span.end < window.end) {
    gap(Interval{span.end, window.end}, nullptr);
    span.end = window.end;
  }
  return span;
}

// Stacks whose samples do not show what a thread did. Python frames that changed while they were read are unknown, and
// so are the interpreter's own frames: of a thread that decodes images they were 17 % of the samples; its other samples
// represent that time, too. A library's thread that waits (autograd's engine between two steps) has no work.
std::unordered_set<uint32_t> blind_stacks(const reader::Trace& trace, const reader::Places& places) {
  std::unordered_set<uint32_t> threads, blind;
  for (const trace::SampleRecord& sample : trace.samples)
    if (places.is_programs(sample.stack)) threads.insert(sample.tid);
  if (threads.empty()) return blind;
  for (const trace::SampleRecord& sample : trace.samples) {
    if (sample.in_call != 0 || places.is_programs(sample.stack)) continue;
    if (waits(sample) || (threads.contains(sample.tid) && places.user_place(sample.stack).file.empty()))
      blind.insert(sample.stack);
  }
  return blind;
}

class TimelineBuilder {
 public:
  TimelineBuilder(const reader::Trace& trace, const reader::Places& places, const Steps& steps)
      : trace_(trace),
        places_(places),
        steps_(steps),
        windows_(find_windows(trace)),
        clock_(trace.clock_pairs),
        launches_(match_launches(trace, clock_, windows_)),
        gemms_(match_gemms(trace)),
        counted_(whole_steps_of_windows()),
        host_(trace, counted_, blind_stacks(trace, places)),
        work_(trace, places),
        stand_ins_(trace, places, windows_),
        blame_(trace, launches_, host_.launch_spacing_ns()),
        enqueue_time_(enqueue_time(trace, steps, windows_)),
        factors_(code_after_waits(trace, steps, windows_, counted_)),
        allocations_(allocations_outside(trace, steps, windows_, counted_)) {}

  std::vector<DeviceTimeline> build() {
    std::map<uint32_t, std::map<size_t, std::vector<DeviceWork>>> by_device;  // device -> window -> its work
    for (const auto& event : trace_.gpu_work) {
      const Interval interval{clock_.monotonic(event.record.begin_ns), clock_.monotonic(event.record.end_ns)};
      const Interval* window = interval.end < interval.begin ? nullptr : interval_at(windows_, interval.begin);
      if (window != nullptr && shows_steps(*window))
        by_device[event.record.device][static_cast<size_t>(window - windows_.data())].push_back(
            {interval, &event.record});
    }
    std::vector<DeviceTimeline> timelines;
    for (auto& [number, windows] : by_device) timelines.push_back(build_device(number, windows));
    return timelines;
  }

 private:
  bool shows_steps(const Interval& window) const {
    return counted_[static_cast<size_t>(&window - windows_.data())].length() != 0;
  }

  // The part of each window that counts. A window in start-up does not count, since it shows neither how busy the GPU
  // is in a step nor what a step waits for or launches. Of other windows the whole steps count; of a window without
  // one, and of a full timeline, everything. But if the windows together hold at least kMinSteps whole steps, those
  // without one do not count: CUPTI attaches and detaches during much of them, and two such windows beside two with six
  // steps of 1,520 kernels changed that number to 1,284.
  std::vector<Interval> whole_steps_of_windows() const {
    std::vector<std::map<uint32_t, uint64_t>> first(windows_.size());  // by window: begin of each device's first work
    for (const auto& event : trace_.gpu_work) {
      const uint64_t begin = clock_.monotonic(event.record.begin_ns);
      const Interval* const window = interval_at(windows_, begin);
      if (window == nullptr) continue;
      auto& [device, first_ns] =
          *first[static_cast<size_t>(window - windows_.data())].try_emplace(event.record.device, begin).first;
      first_ns = std::min(first_ns, begin);
    }
    std::vector<Interval> counted = windows_;
    std::vector<bool> parts(windows_.size(), false);
    size_t steps = 0;
    for (size_t i = 0; i < counted.size(); ++i) {
      if (first[i].empty() || windows_[i].end == UINT64_MAX) continue;
      uint64_t known_from_ns = 0;
      for (const auto& [device, first_ns] : first[i]) known_from_ns = std::max(known_from_ns, first_ns);
      const Interval whole = whole_steps(windows_[i], known_from_ns, steps_.regular);
      parts[i] = whole.length() == 0;
      if (parts[i]) continue;
      counted[i] = whole;
      for (const Interval& step : steps_.regular) steps += step.begin >= whole.begin && step.end <= whole.end;
    }
    for (size_t i = 0; i < counted.size(); ++i) {
      const bool is_apart = steps_.before(windows_[i].end) || steps_.after(windows_[i].begin);
      if (is_apart || (parts[i] && steps >= kMinSteps)) counted[i].end = counted[i].begin;
    }
    return counted;
  }

  DeviceTimeline build_device(uint32_t number, std::map<size_t, std::vector<DeviceWork>>& windows) {
    DeviceTimeline device;
    device.device = number;
    device.enqueue_time = enqueue_time_;
    for (const trace::DeviceRecord& described : trace_.devices)
      if (described.device == number) device.description = described;
    uint64_t of_graphs = 0;
    HostLines host_lines(trace_, places_, work_, stand_ins_, factors_, allocations_);
    for (auto& [index, pieces] : windows) {
      std::sort(pieces.begin(), pieces.end(),
                [](const DeviceWork& a, const DeviceWork& b) { return a.interval.begin < b.interval.begin; });
      const Interval& counted = counted_[index];
      const size_t first_gap = device.gaps.size();
      const Interval known = walk(pieces, windows_[index], [&](const Interval& gap, const trace::GpuWorkRecord* next) {
        if (overlap(gap, counted).length() != 0) add_gap(device, gap, counted, next, host_lines);
      });
      device.windows.push_back(windows_[index].end != UINT64_MAX ? windows_[index] : known);
      device.spans.push_back(overlap(known, counted));
      device.covered_ns += device.spans.back().length();
      device.busy_left_out_ns += busy_left_out(device.spans.back(), device.gaps, first_gap);
      device.collective_ns += collective_time(pieces, counted);
      std::erase_if(pieces, [&](const DeviceWork& work) {
        const uint64_t begin = work.interval.begin;
        return begin < counted.begin || begin >= counted.end || (steps_.found() && !steps_.contains(begin));
      });
      for (const DeviceWork& work : pieces) {
        count_kind(device, work.record->kind);
        of_graphs += work.record->graph != 0;
      }
    }
    // A graph's launch is one call, however many kernels it has.
    if (of_graphs == 0) device.launched_steps = launched_steps(trace_, steps_, number, device.kernels);
    device.busy_ns = device.covered_ns - device.idle_ns;
    device.starts = starts_ns_.size();
    device.median_start_ns = median(std::exchange(starts_ns_, {}));
    sum_lines(device, trace_, places_);
    device.replay = replay_of(device, windows, host_lines);
    host_lines.add_launches(host_, kernels_of(windows));
    device.host_lines = host_lines.take();
    device.gemms = gemm_work(device, windows);
    return device;
  }

  // The part of busy time in `span` that is outside of regular steps. A validation or start-up in a window is no part
  // of a step: in timm's full timeline, where every 100th step contains a validation, it made 776 kernels of the 758 of
  // a training step.
  uint64_t busy_left_out(const Interval& span, const std::vector<IdleGap>& gaps, size_t first_gap) const {
    if (!steps_.found()) return 0;
    uint64_t left_out = 0, busy_from = span.begin;
    const auto add = [&](uint64_t busy_to) {
      if (busy_to <= busy_from) return;
      left_out += busy_to - busy_from;
      for (const Interval& steady : steps_.within({busy_from, busy_to})) left_out -= steady.length();
    };
    for (size_t i = first_gap; i < gaps.size(); ++i) {
      add(gaps[i].interval.begin);
      busy_from = gaps[i].interval.end;
    }
    add(span.end);
    return left_out;
  }

  WindowReplay replay_of(const DeviceTimeline& device, const std::map<size_t, std::vector<DeviceWork>>& windows,
                         HostLines& host_lines) const {
    ReplayBuilder builder(host_, host_lines, {factors_, allocations_}, device.median_start_ns);
    auto span = device.spans.begin();
    for (const auto& [index, pieces] : windows) {
      for (const Interval& steady : steps_.within(*span++)) {
        std::vector<LaunchedWork> works;
        for (const DeviceWork& work : pieces) {
          if (work.interval.begin < steady.begin || work.interval.begin >= steady.end) continue;
          const auto launch = launches_.find(work.record);
          works.push_back({work.interval, launch != launches_.end() ? launch->second : nullptr});
        }
        builder.add(steady, works);
      }
    }
    return builder.take();
  }

  GemmWork gemm_work(const DeviceTimeline& device, const std::map<size_t, std::vector<DeviceWork>>& windows) const {
    GemmSum sum(gemms_, device.description ? &*device.description : nullptr);
    for (const auto& [index, pieces] : windows)
      for (const DeviceWork& work : pieces) {
        if (work.record->kind != static_cast<uint8_t>(trace::GpuWorkKind::kKernel)) continue;
        const auto launch = work.record->graph == 0 ? launches_.find(work.record) : launches_.end();
        sum.add(*work.record, work.interval.length(), launch != launches_.end() ? launch->second : nullptr);
      }
    return sum.work();
  }

  std::unordered_map<uint32_t, Kernels> kernels_of(const std::map<size_t, std::vector<DeviceWork>>& windows) const {
    std::unordered_map<uint32_t, Kernels> kernels;
    for (const auto& [index, pieces] : windows)
      for (const DeviceWork& work : pieces) {
        const auto launch = launches_.find(work.record);
        if (launch == launches_.end() || work.record->kind != static_cast<uint8_t>(trace::GpuWorkKind::kKernel))
          continue;
        Kernels& of = kernels[launch->second->stack];
        ++of.count;
        of.ns += work.interval.length();
        of.names.insert(work.record->name);
      }
    return kernels;
  }

  // Time in kernels of collectives; overlaps count once.
  uint64_t collective_time(const std::vector<DeviceWork>& pieces, const Interval& window) {
    uint64_t sum = 0, at = window.begin;
    for (const DeviceWork& work : pieces) {
      if (work.record->name == 0 || !is_collective(work.record->name)) continue;
      const uint64_t begin = std::max(at, work.interval.begin), end = std::min(work.interval.end, window.end);
      if (end > begin) sum += end - begin;
      at = std::max(at, end);
    }
    return sum;
  }

  // NCCL's kernels are named ncclDevKernel_... (before 2.19: ncclKernel_...), and RCCL's likewise.
  bool is_collective(uint32_t name) {
    auto [it, fresh] = collectives_.try_emplace(name, false);
    if (fresh) it->second = trace_.string(name).find("nccl") != std::string::npos;
    return it->second;
  }

  // Adds the part of a gap that lies in `counted`; its cause and the host's activity are determined for the whole gap.
  void add_gap(DeviceTimeline& device, const Interval& whole, const Interval& counted, const trace::GpuWorkRecord* next,
               HostLines& host_lines) {
    static constexpr trace::GpuWorkRecord kNone{};
    const Interval interval = overlap(whole, counted);
    IdleGap gap = blame_.blame(whole, next != nullptr ? *next : kNone);
    gap.interval = interval;
    if (steps_.found() && !steps_.contains(interval.begin)) gap.cause = IdleCause::kEndEffects;
    device.idle_ns += interval.length();
    device.idle_by_cause[static_cast<size_t>(gap.cause)] += interval.length();
    if (gap.cause != IdleCause::kEndEffects) {
      const auto launch = next != nullptr ? launches_.find(next) : launches_.end();
      for (HostPart part : host_.parts(whole, launch != launches_.end() ? launch->second : nullptr)) {
        part.interval = overlap(part.interval, interval);
        if (part.interval.length() == 0) continue;
        host_lines.add(part, gap);
        device.idle_by_doing[static_cast<size_t>(part.doing)] += part.interval.length();
        const bool found_idle = part.interval.begin > interval.begin;  // otherwise the launch was made before
        if (part.doing == HostDoing::kStarting && found_idle) starts_ns_.push_back(part.interval.length());
      }
    }
    device.gaps.push_back(gap);
  }

  const reader::Trace& trace_;
  const reader::Places& places_;
  const Steps& steps_;
  const std::vector<Interval> windows_;
  const GpuClock clock_;
  const LaunchOf launches_;
  const GemmOf gemms_;
  const std::vector<Interval> counted_;
  const HostTime host_;
  const HostWork work_;
  const StandIns stand_ins_;
  const IdleBlame blame_;
  const EnqueueTime enqueue_time_;
  const OutsideFactors factors_, allocations_;
  std::unordered_map<uint32_t, bool> collectives_;  // by id of the kernel's name
  std::vector<uint64_t> starts_ns_;                 // of the device that is being built
};

}  // namespace

std::vector<DeviceTimeline> build_gpu_timelines(const reader::Trace& trace, const reader::Places& places,
                                                const Steps& steps) {
  return TimelineBuilder(trace, places, steps).build();
}

}  // namespace syncsniff::timeline
