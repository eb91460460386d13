#include "instrument/timeline/host_lines.h"

#include <algorithm>

namespace syncsniff::timeline {

using reader::Place;

std::string line_key(const Place& place) { return place_text(place) + "\n" + place.file; }

void HostLines::add(const HostPart& part, const IdleGap& gap) {
  const size_t at = find(part);
  HostLine& line = lines_[at];
  line.idle_ns += part.interval.length();
  ++line.parts;
  if (gap.cause == IdleCause::kSync || gap.cause == IdleCause::kImplicitSync)
    let_dry_[at][{gap.stack, gap.api}] += part.interval.length();
}

void HostLines::add_launches(const HostTime& host, const std::unordered_map<uint32_t, Kernels>& kernels) {
  std::map<size_t, std::set<uint32_t>> stacks;
  for (const auto& [key, at] : by_stacks_)
    if (std::get<0>(key) == HostDoing::kLaunching) stacks[at].insert(std::get<2>(key));
  for (const auto& [at, ids] : stacks) {
    std::set<uint32_t> names;
    for (uint32_t stack : ids) {
      if (const auto it = host.launches().find(stack); it != host.launches().end()) {
        lines_[at].launches += it->second.count;
        lines_[at].in_row += it->second.in_row;
        lines_[at].spaced += it->second.spaced;
        lines_[at].spacing_ns += it->second.spacing_ns;
      }
      const auto it = kernels.find(stack);
      if (it == kernels.end()) continue;
      lines_[at].matched += it->second.count;
      lines_[at].kernel_ns += it->second.ns;
      names.insert(it->second.names.begin(), it->second.names.end());
    }
    lines_[at].kinds = names.size();
  }
}

// Most of a line's idle time may have come after one wait.
void HostLines::name_waits() {
  for (auto& [at, waits] : let_dry_) {
    HostLine& line = lines_[at];
    std::map<std::string, uint64_t> by_place;
    for (const auto& [wait, ns] : waits) {
      const Place place = places_.user_place(wait.first);
      const uint64_t sum = by_place[line_key(place)] += ns;
      if (sum < line.let_dry_ns) continue;
      line.let_dry_ns = sum;
      line.let_dry = place;
      line.let_dry_api = trace_.api_name(wait.second);
    }
  }
}

std::vector<HostLine> HostLines::take() {
  name_waits();
  std::stable_sort(lines_.begin(), lines_.end(), [](const auto& a, const auto& b) { return a.idle_ns > b.idle_ns; });
  return std::move(lines_);
}

size_t HostLines::find(const HostPart& part) {
  // What the host launched with is of no interest: all launches of a line are one row.
  const uint16_t api = part.doing == HostDoing::kLaunching ? 0 : part.api;
  auto [known, fresh] = by_stacks_.try_emplace({part.doing, part.state, part.stack, part.before, part.tid, api}, 0);
  if (!fresh) return known->second;
  HostLine line;
  line.doing = part.doing;
  line.state = part.state;
  line.place = places_.user_place(part.stack);
  line.inner = places_.inner_place(part.stack);
  line.optimizer = places_.in_optimizer(part.stack);
  if (part.before != 0) line.before = places_.user_place(part.before);
  if (api != 0) line.api = trace_.api_name(api);
  const auto name = trace_.thread_names.find(part.tid);
  if (line.place.file.empty() && name != trace_.thread_names.end()) line.thread = name->second;
  auto [it, is_new] = by_places_.try_emplace({line.doing, line.state, line_key(line.place) + line.thread,
                                              line_key(line.inner), line_key(line.before), line.api},
                                             lines_.size());
  if (is_new) lines_.push_back(std::move(line));
  return known->second = it->second;
}

}  // namespace syncsniff::timeline
