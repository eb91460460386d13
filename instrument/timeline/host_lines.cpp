#include "instrument/timeline/host_lines.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace syncsniff::timeline {
namespace {

constexpr uint64_t kFewPieceSamples = 3;  // fewer samples of a piece of code do not represent it
constexpr double kMostKnown = 0.9;  // least share of a line's time for which the time outside of windows must be known

}  // namespace

using reader::Place;

bool HostLine::waits_for_others() const {
  return doing == HostDoing::kCode && state != trace::HostState::kInterpreter && trace::waits_for_others(state);
}

std::string line_key(const Place& place) { return place_text(place) + "\n" + place.file; }

void HostLines::add(const HostPart& part, const IdleGap& gap) {
  const size_t at = find(part);
  HostLine& line = lines_[at];
  line.idle_ns += part.interval.length();
  if (std::exchange(last_gap_[at], gap.interval.end) != gap.interval.end) ++line.pauses;
  if (gap.cause == IdleCause::kSync || gap.cause == IdleCause::kImplicitSync)
    let_dry_[at][{gap.stack, gap.api}] += part.interval.length();
  if (part.doing == HostDoing::kStarting) starting_[part.stack] += part.interval.length();
  if (part.doing == HostDoing::kLaunching) launching_[part.stack][at] += part.interval.length();
  if (part.doing == HostDoing::kAllocating)
    if (const auto factor = allocations_.find(part.stack); factor != allocations_.end())
      add_known(at, static_cast<double>(part.interval.length()), factor->second);
  if (part.doing != HostDoing::kCode) return;
  meanwhile_.add(at, part, gap.interval.begin);
  if (lines_[at].is_piece) pieces_[at][part.stack] += part.interval.length();
  Between& between = between_[{part.from, part.to}];
  if (part.sampled) {
    ++between.sampled;
    between.sampled_ns += part.interval.length();
    between.lines[at] += part.interval.length();
  } else {
    between.unseen_ns += part.interval.length();
    between.unseen[at] += part.interval.length();
  }
}

// Samples are about a ms apart, so most executions of shorter code are not sampled. The samples that the code after a
// wait has also represent its unsampled time. Returns the time of each line in this code.
std::map<size_t, uint64_t> HostLines::share_out(const Between& between) {
  std::map<size_t, uint64_t> times = between.lines;
  for (const auto& [from, ns] : between.unseen) {
    uint64_t left = ns;
    if (between.sampled >= kFewPieceSamples) {
      const double share = static_cast<double>(ns) / static_cast<double>(lines_[from].idle_ns);
      const double pauses = share * lines_[from].pauses;
      const std::map<Wait, uint64_t> waits = let_dry_[from];
      for (const auto& [to, seen_ns] : between.lines) {
        const double part = static_cast<double>(seen_ns) / static_cast<double>(between.sampled_ns);
        const uint64_t moved = std::min(left, static_cast<uint64_t>(std::ceil(part * static_cast<double>(ns))));
        left -= moved;
        times[to] += moved;
        lines_[to].idle_ns += moved;
        lines_[from].idle_ns -= moved;
        lines_[to].pauses += part * pauses;
        lines_[from].pauses -= part * pauses;
        for (const auto& [wait, wait_ns] : waits) {
          const auto moved_wait = static_cast<uint64_t>(part * share * static_cast<double>(wait_ns));
          let_dry_[to][wait] += moved_wait;
          let_dry_[from][wait] -= moved_wait;
        }
      }
    }
    if (left != 0) times[from] += left;
  }
  return times;
}

// The share of a call path's launches that belongs to one of the lines that wait for them: in proportion to the idle
// time spent in launching.
double HostLines::share_of_launching(uint32_t stack, size_t line) const {
  const auto it = launching_.find(stack);
  if (it == launching_.end()) return 1;
  uint64_t all = 0;
  for (const auto& [other, ns] : it->second) all += ns;
  const auto own = it->second.find(line);
  if (all == 0 || own == it->second.end()) return 0;
  return static_cast<double>(own->second) / static_cast<double>(all);
}

void HostLines::add_launches(const HostTime& host, const std::unordered_map<uint32_t, Kernels>& kernels) {
  std::map<size_t, std::set<uint32_t>> stacks;
  for (const auto& [key, at] : by_stacks_)
    if (std::get<0>(key) == HostDoing::kLaunching) stacks[at].insert(std::get<2>(key));
  for (const auto& [at, ids] : stacks) {
    std::set<uint32_t> names;
    HostLine& line = lines_[at];
    for (uint32_t stack : ids) {
      const double share = share_of_launching(stack, at);
      const auto part = [share](uint64_t number) {
        return static_cast<uint64_t>(std::llround(share * static_cast<double>(number)));
      };
      if (const auto it = starting_.find(stack); it != starting_.end()) line.starting_ns += part(it->second);
      if (const auto it = host.launches().find(stack); it != host.launches().end()) {
        line.launches += part(it->second.count);
        line.in_row += part(it->second.in_row);
        line.graphs += part(it->second.graphs);
        line.copies += part(it->second.copies);
        line.spaced += part(it->second.spaced);
        line.spacing_ns += part(it->second.spacing_ns);
      }
      const auto it = kernels.find(stack);
      if (it == kernels.end()) continue;
      line.matched += part(it->second.count);
      line.kernel_ns += part(it->second.ns);
      names.insert(it->second.names.begin(), it->second.names.end());
    }
    line.kinds = names.size();
  }
}

std::vector<std::pair<uint32_t, double>> HostLines::owners_of(const HostPart& part) {
  const auto own = static_cast<uint32_t>(find(part));
  if (part.doing != HostDoing::kCode || part.sampled) return {{own, 1.0}};
  const auto it = between_.find({part.from, part.to});
  if (it == between_.end() || it->second.sampled < kFewPieceSamples) return {{own, 1.0}};
  std::vector<std::pair<uint32_t, double>> owners;
  for (const auto& [line, ns] : it->second.lines)
    owners.emplace_back(static_cast<uint32_t>(line),
                        static_cast<double>(ns) / static_cast<double>(it->second.sampled_ns));
  return owners;
}

bool HostLines::waits_for_others(const std::vector<std::pair<uint32_t, double>>& owners) const {
  double waiting = 0;
  for (const auto& [row, share] : owners)
    if (lines_[row].waits_for_others()) waiting += share;
  return waiting > 0.5;
}

// Finds for each line the wait after which most of its idle time came.
void HostLines::name_waits() {
  for (auto& [at, waits] : let_dry_) {
    HostLine& line = lines_[at];
    std::map<std::string, uint64_t> by_place;
    for (const auto& [wait, ns] : waits) {
      const Place place = places_.user_place(wait.first);
      const uint64_t sum = by_place[line_key(place)] += ns;
      if (sum < line.preceding_wait_ns) continue;
      line.preceding_wait_ns = sum;
      line.preceding_wait = place;
      line.preceding_wait_api = trace_.api_name(wait.second);
    }
  }
}

void HostLines::add_known(size_t line, double ns, double factor) {
  known_[line].first += ns;
  known_[line].second += ns * factor;
}

// Sets outside_factor of the lines. A line's time is in the code after several waits: share_out() divides the time
// after each wait among lines, then the known times outside of windows are summed up line by line.
void HostLines::finish_code() {
  for (const auto& [calls, between] : between_) {
    const std::map<size_t, uint64_t> times = share_out(between);
    const auto factor = factors_.find(calls.first);
    if (factor == factors_.end()) continue;
    for (const auto& [line, ns] : times) add_known(line, static_cast<double>(ns), factor->second);
  }
  for (const auto& [line, times] : known_)
    if (times.first >= kMostKnown * static_cast<double>(lines_[line].idle_ns) && times.first > 0)
      lines_[line].outside_factor = times.second / times.first;
}

std::vector<HostLine> HostLines::take() {
  finish_code();
  name_waits();
  for (HostLine& line : lines_) line.meanwhile = meanwhile_.of(line.row);
  for (const auto& [at, by_stack] : pieces_) {
    WorkTimes times;
    for (const auto& [stack, ns] : by_stack) times.add(*work_.piece_of(stack), places_.user_place(stack), ns);
    lines_[at].place = times.place();
    lines_[at].lines = times.lines();
  }
  std::erase_if(lines_, [](const HostLine& line) { return line.idle_ns == 0; });
  std::stable_sort(lines_.begin(), lines_.end(), [](const auto& a, const auto& b) { return a.idle_ns > b.idle_ns; });
  return std::move(lines_);
}

reader::StepPart HostLines::part_of(uint32_t stack, uint32_t behind) const {
  const reader::StepPart part = places_.part(stack);
  return part == reader::StepPart::kOther && behind != 0 ? places_.part(behind) : part;
}

// The piece of host work that a part belongs to; nullptr if its thread does not run: a wait is a line of its own.
const reader::Frame* HostLines::piece_of(const HostPart& part) const {
  const bool runs = part.state == trace::HostState::kRunning || part.state == trace::HostState::kUnknown;
  return part.doing == HostDoing::kCode && part.sampled && runs ? work_.piece_of(part.stack) : nullptr;
}

size_t HostLines::find(HostPart part) {
  // Which API function launched does not matter: all launches of a line are one row.
  const uint16_t api = part.doing == HostDoing::kLaunching ? 0 : part.api;
  const uint32_t before = part.doing == HostDoing::kCode && !part.sampled ? part.from : 0;
  const bool is_programs = places_.is_programs(part.stack);
  const uint32_t behind = is_programs ? 0 : stand_ins_.line_behind(part.stack, part.interval.end);
  auto [known, fresh] = by_stacks_.try_emplace({part.doing, part.state, part.stack, before, part.tid, api, behind}, 0);
  if (!fresh) return known->second;
  HostLine line;
  line.row = static_cast<uint32_t>(lines_.size());
  line.doing = part.doing;
  line.state = part.state;
  line.part = part_of(part.stack, behind);
  if (part.doing == HostDoing::kLaunching) line.updates = places_.updates(part.stack);
  // Launch latency does not depend on the line: one row for all lines.
  if (part.doing == HostDoing::kStarting) part.stack = 0;
  line.place = places_.user_place(part.stack);
  line.inner = places_.inner_place(part.stack);
  if (before != 0) line.before = places_.user_place(before);
  if (api != 0) line.api = trace_.api_name(api);
  const auto name = trace_.thread_names.find(part.tid);
  if (!is_programs && name != trace_.thread_names.end()) line.thread = name->second;
  if (behind != 0 && part.stack != 0) {
    line.place = places_.user_place(behind);
    line.inner = places_.inner_place(behind);
  }
  std::string place = line_key(line.place);
  if (const reader::Frame* piece = piece_of(part)) {
    line.inner = {};
    line.is_piece = true;
    place = piece->file + "\n" + piece->function;
  }
  auto [it, is_new] = by_places_.try_emplace(
      {line.doing, line.state, place + line.thread, line_key(line.inner), line_key(line.before), line.api, line.part},
      lines_.size());
  // A path of the line that only gathers the parameters for a foreach update has kUnknown and must not replace a known
  // value.
  if (!is_new && line.updates != reader::Updates::kUnknown) lines_[it->second].updates = line.updates;
  if (is_new) {
    lines_.push_back(std::move(line));
    last_gap_.push_back(0);
  }
  return known->second = it->second;
}

}  // namespace syncsniff::timeline
