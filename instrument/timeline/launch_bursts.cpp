#include "instrument/timeline/launch_bursts.h"

#include <algorithm>
#include <cstdint>
#include <map>

#include "instrument/timeline/median.h"

namespace syncsniff::timeline {
namespace {

constexpr uint64_t kPause = 8;           // in medians of the time from one launch to the next
constexpr uint64_t kLeastPause = 20000;  // ns; a launch may take that long when the queue is full
constexpr size_t kMinBursts = 5;
constexpr double kMinAlike = 0.8;

std::vector<uint64_t> launch_times(const EnqueueWindow& window) {
  std::vector<uint64_t> times;
  for (const Enqueue& one : window)
    if (one.kind != EnqueueKind::kOther) times.push_back(one.time_ns);
  return times;
}

uint64_t shortest_pause(const std::vector<std::vector<uint64_t>>& windows) {
  std::vector<uint64_t> spacings;
  for (const auto& times : windows)
    for (size_t i = 1; i < times.size(); ++i) spacings.push_back(times[i] - times[i - 1]);
  return std::max(kLeastPause, kPause * median(std::move(spacings)));
}

}  // namespace

std::optional<LaunchBursts> find_launch_bursts(const std::vector<EnqueueWindow>& windows) {
  std::vector<std::vector<uint64_t>> times;
  for (const EnqueueWindow& window : windows) times.push_back(launch_times(window));
  const uint64_t pause = shortest_pause(times);
  std::map<size_t, size_t> sizes;
  LaunchBursts found;
  for (const auto& window : times) {
    size_t begin = SIZE_MAX;  // of the burst; the first and the last of a window may be cut off
    for (size_t i = 1; i < window.size(); ++i) {
      if (window[i] - window[i - 1] < pause) continue;
      if (begin != SIZE_MAX) ++sizes[i - begin], ++found.bursts;
      begin = i;
    }
  }
  size_t most = 0;
  for (const auto& [size, number] : sizes)
    if (number > most) most = number, found.launches = size;
  if (found.bursts < kMinBursts || found.launches < 2) return std::nullopt;
  found.alike = static_cast<double>(most) / static_cast<double>(found.bursts);
  if (found.alike < kMinAlike) return std::nullopt;
  return found;
}

}  // namespace syncsniff::timeline
