#include "instrument/report/host_parts.h"

#include <algorithm>
#include <functional>
#include <map>

#include "instrument/report/host_rows.h"

namespace syncsniff::report {

using timeline::HostDoing;

std::vector<HostPart> host_parts(const timeline::DeviceTimeline& device, const timeline::StepShare& share) {
  std::map<std::string, HostPart> sums;
  const auto sum_of = [&](const std::string& name) -> HostPart& {
    return sums.try_emplace(name, HostPart{.name = name}).first->second;
  };
  for (size_t i = 0; i < timeline::kHostDoings; ++i) {
    const auto doing = static_cast<HostDoing>(i);
    HostPart& part = sum_of(to_string(doing));
    part.ns += share.of(device, doing);
    part.waits = doing == HostDoing::kWaiting;
  }
  double& code = sum_of(to_string(HostDoing::kCode)).ns;
  for (const timeline::HostLine& line : device.host_lines) {
    const std::string what = doing_text(line);
    if (line.doing != HostDoing::kCode || what == to_string(HostDoing::kCode)) continue;
    const double ns = std::min(share.of(line), code);
    HostPart& part = sum_of(what);
    part.ns += ns;
    part.waits = true;
    code -= ns;
  }
  std::vector<HostPart> parts;
  for (const auto& [name, part] : sums)
    if (part.ns >= 0.5) parts.push_back(part);
  std::ranges::stable_sort(parts, std::greater(), &HostPart::ns);
  return parts;
}

std::vector<HostPart> idle_causes(const timeline::DeviceTimeline& device, const timeline::StepShare& share) {
  const auto all = static_cast<double>(device.idle_ns - device.end_effects_ns());
  std::vector<HostPart> causes;
  for (size_t i = 0; i < timeline::kIdleCauses; ++i) {
    const auto cause = static_cast<timeline::IdleCause>(i);
    if (cause == timeline::IdleCause::kEndEffects || device.idle_by_cause[i] == 0) continue;
    const double part = static_cast<double>(device.idle_by_cause[i]) / all;
    causes.push_back({.name = to_string(cause), .ns = part * (share.idle_ns - share.unseen_ns)});
  }
  std::ranges::stable_sort(causes, std::greater(), &HostPart::ns);
  return causes;
}

double part_ns(const std::vector<HostPart>& parts, HostDoing doing) {
  const auto part = std::ranges::find(parts, to_string(doing), &HostPart::name);
  return part == parts.end() ? 0 : part->ns;
}

}  // namespace syncsniff::report
