#include "instrument/timeline/step_ranges.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "instrument/timeline/regular_steps.h"

namespace syncsniff::timeline {

std::vector<RangeGroup> range_groups(const reader::Trace& trace) {
  std::map<std::tuple<uint16_t, uint32_t, uint32_t, uint32_t>, RangeGroup> groups;
  for (const auto& event : trace.ranges) {
    const trace::RangeRecord& range = event.record;
    RangeGroup& group = groups[{range.depth, range.domain, range.name, event.tid}];
    group.depth = range.depth;
    group.begins.push_back(range.begin_ns);
    group.last_end = std::max(group.last_end, range.end_ns);
  }
  std::vector<RangeGroup> list;
  for (auto& [key, group] : groups) {
    group.name = trace.string(std::get<2>(key));
    if (std::get<1>(key) != 0) group.domain = trace.string(std::get<1>(key));
    std::sort(group.begins.begin(), group.begins.end());
    list.push_back(std::move(group));
  }
  std::stable_sort(list.begin(), list.end(), [](const RangeGroup& a, const RangeGroup& b) {
    return a.depth != b.depth ? a.depth < b.depth : a.begins.size() > b.begins.size();
  });
  return list;
}

const RangeGroup* step_ranges(const std::vector<RangeGroup>& groups, size_t count) {
  const RangeGroup* outermost = nullptr;
  for (const RangeGroup& group : groups) {
    if (!group.domain.empty() || group.begins.size() < kMinSteps) continue;
    if (count != 0 && same_count(group.begins.size(), count)) return &group;
    if (outermost == nullptr) outermost = &group;
  }
  return outermost;
}

}  // namespace syncsniff::timeline
