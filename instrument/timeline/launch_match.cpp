#include "instrument/timeline/launch_match.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>

#include "instrument/timeline/call_times.h"

namespace syncsniff::timeline {
namespace {

// While a window is opened or closed, CUPTI may record a launch that is not listed, or miss one that is.
constexpr long kMostAtAnEdge = 256;
constexpr size_t kSampled = 2000;  // kernels that are used to compare alignments
// One kernel in this many may begin before its supposed launch: two threads raced.
constexpr size_t kFewOutOfOrder = 500;

using ListedLaunches = std::vector<const trace::CallRecord*>;

struct Kernel {
  const trace::GpuWorkRecord* record = nullptr;
  uint32_t name = 0;
  uint64_t begin_ns = 0;
};
using NumberedKernels = std::vector<Kernel>;  // index: number of the kernel

ListedLaunches launches_in(const reader::Trace& trace, const Interval& window) {
  ListedLaunches launches;
  for (const auto& event : trace.calls) {
    const trace::CallRecord& call = event.record;
    if (call.begin_ns >= window.end) break;
    const bool ran = (call.flags & (trace::kFailed | trace::kCapturing)) == 0;
    if (call.begin_ns + call.duration_ns < window.begin || !ran) continue;
    if (call.call_class == static_cast<uint8_t>(trace::CallClass::kLaunch) &&
        trace.api_name(call.api).find("Graph") == std::string::npos)
      launches.push_back(&call);
  }
  return launches;
}

std::vector<NumberedKernels> kernels_by_window(const reader::Trace& trace, const GpuClock& clock,
                                               const std::vector<Interval>& windows) {
  std::vector<std::map<uint32_t, Kernel>> kernels(windows.size());
  for (const auto& event : trace.gpu_work) {
    const trace::GpuWorkRecord& work = event.record;
    const bool is_kernel = work.kind == static_cast<uint8_t>(trace::GpuWorkKind::kKernel);
    if (!is_kernel || work.graph != 0 || work.correlation == 0) continue;
    const uint64_t begin_ns = clock.monotonic(work.begin_ns);
    // Work that a window launched may begin after its end.
    auto it = std::upper_bound(windows.begin(), windows.end(), begin_ns,
                               [](uint64_t time, const Interval& window) { return time < window.begin; });
    if (it == windows.begin()) continue;
    kernels[static_cast<size_t>(it - windows.begin() - 1)].try_emplace(work.correlation,
                                                                       Kernel{&work, work.name, begin_ns});
  }
  std::vector<NumberedKernels> lists;
  for (const auto& numbered : kernels) {
    lists.emplace_back();
    for (const auto& [number, kernel] : numbered) lists.back().push_back(kernel);
  }
  return lists;
}

// Calls `pair` with each kernel and its launch, given that the first kernel belongs to launch `first`. `first` may be
// negative: then the first kernels' launches are not in the list.
template <class Pair>
void for_each_pair(const NumberedKernels& kernels, const ListedLaunches& launches, long first, Pair pair) {
  const auto end = static_cast<long>(launches.size());
  for (size_t i = first < 0 ? static_cast<size_t>(-first) : 0; i < kernels.size(); ++i) {
    const long at = first + static_cast<long>(i);
    if (at >= end || !pair(kernels[i], *launches[static_cast<size_t>(at)])) return;
  }
}

// True if almost no kernel begins before its launch does.
bool is_in_order(const NumberedKernels& kernels, const ListedLaunches& launches, long first) {
  size_t out_of_order = 0, pairs = 0;
  for_each_pair(kernels, launches, first, [&](const Kernel& kernel, const trace::CallRecord& launch) {
    out_of_order += kernel.begin_ns + kClockSlackNs < launch.begin_ns;
    return ++pairs, true;
  });
  return pairs != 0 && out_of_order * kFewOutOfOrder <= pairs;
}

// How many kernels have another name than the first kernel with the same function handle.
size_t misnamed(const NumberedKernels& kernels, const ListedLaunches& launches, long first) {
  std::unordered_map<uint64_t, uint32_t> names;
  size_t count = 0, pairs = 0;
  for_each_pair(kernels, launches, first, [&](const Kernel& kernel, const trace::CallRecord& launch) {
    count += names.try_emplace(launch.object, kernel.name).first->second != kernel.name;
    return ++pairs < kSampled;
  });
  return count;
}

// Index of the first kernel's launch: the one for which names agree best. Of several, the latest, since on a device
// that keeps up with the host, the next launch begins after the kernel.
std::optional<long> align(const NumberedKernels& kernels, const ListedLaunches& launches, long most_at_an_edge) {
  const long excess = static_cast<long>(launches.size()) - static_cast<long>(kernels.size());
  if (kernels.empty() || launches.empty() || std::abs(excess) > 2 * most_at_an_edge) return std::nullopt;
  std::optional<long> best;
  size_t fewest = SIZE_MAX;
  for (long first = std::max(0l, excess) + most_at_an_edge; first >= std::min(0l, excess) - most_at_an_edge; --first) {
    const size_t count = misnamed(kernels, launches, first);
    if (count >= fewest || !is_in_order(kernels, launches, first)) continue;
    fewest = count;
    best = first;
  }
  return best;
}

}  // namespace

LaunchOf match_launches(const reader::Trace& trace, const GpuClock& clock, const std::vector<Interval>& windows) {
  std::vector<NumberedKernels> kernels = kernels_by_window(trace, clock, windows);
  LaunchOf matched;
  for (size_t i = 0; i < windows.size(); ++i) {
    const bool is_full = windows[i].end == UINT64_MAX;  // it has no edges
    const ListedLaunches launches = launches_in(trace, windows[i]);
    // If graphs are used, CUPTI keeps recording after the window: those kernels have the highest numbers.
    if (!is_full && kernels[i].size() > launches.size() + kMostAtAnEdge)
      kernels[i].resize(launches.size() + kMostAtAnEdge);
    const std::optional<long> first = align(kernels[i], launches, is_full ? 0 : kMostAtAnEdge);
    if (!first) continue;
    for_each_pair(kernels[i], launches, *first, [&](const Kernel& kernel, const trace::CallRecord& launch) {
      matched.emplace(kernel.record, &launch);
      return true;
    });
  }
  return matched;
}

}  // namespace syncsniff::timeline
