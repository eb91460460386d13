#include "instrument/timeline/window_replay_build.h"

#include <algorithm>

#include "instrument/timeline/call_times.h"

namespace syncsniff::timeline {
namespace {

constexpr size_t kMostPieces = 200000;  // later pieces show the same steps
constexpr size_t kFewCycles = 5;

// Index of the part that contains this moment.
size_t part_at(const std::vector<HostPart>& parts, uint64_t time_ns) {
  const auto it = std::upper_bound(parts.begin(), parts.end(), time_ns,
                                   [](uint64_t time, const HostPart& part) { return time < part.interval.begin; });
  return it == parts.begin() ? 0 : static_cast<size_t>(it - parts.begin()) - 1;
}

bool may_enqueue(const HostPart& part) {
  return part.doing == HostDoing::kLaunching || (part.doing == HostDoing::kWaiting && part.copies);
}

// The interquartile range: half of the values lie within it.
uint64_t spread(std::vector<uint64_t> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() * 3 / 4] - values[values.size() / 4];
}

}  // namespace

uint32_t ReplayBuilder::owner_of(const HostPart& part) {
  auto owners = lines_.owners_of(part);
  const auto [it, fresh] = owners_.try_emplace(owners, static_cast<uint32_t>(replay_.owners.size()));
  if (fresh) replay_.owners.push_back(std::move(owners));
  return it->second;
}

void ReplayBuilder::add(const Interval& whole, const std::vector<LaunchedWork>& works) {
  if (whole.length() == 0 || pieces_ >= kMostPieces) return;
  Parts parts = host_.parts(whole, nullptr);
  if (parts.empty()) return;
  parts.resize(std::min(parts.size(), kMostPieces - pieces_));
  pieces_ += parts.size();
  const Interval span{whole.begin, parts.back().interval.end};
  ReplayWindow window;
  window.recorded_ns = static_cast<double>(span.length());
  add_host(span, parts, window);
  bind_waits(parts, add_device(span, parts, works, window), window);
  replay_.windows.push_back(std::move(window));
}

// Time outside of windows / time in windows of this part; 0: not known.
double ReplayBuilder::outside_factor(const HostPart& part) const {
  const bool is_code = part.doing == HostDoing::kCode;
  if (!is_code && part.doing != HostDoing::kAllocating) return 0;
  const OutsideFactors& factors = is_code ? outside_.code : outside_.allocations;
  const auto factor = factors.find(is_code ? part.from : part.stack);
  return factor != factors.end() ? factor->second : 0;
}

void ReplayBuilder::add_host(const Interval& span, const Parts& parts, ReplayWindow& window) {
  std::map<uint32_t, uint64_t> shares;  // by owner: time of waiting in the code between two calls
  uint64_t begin = 0;                   // of that code
  for (size_t i = 0; i < parts.size(); ++i) {
    const HostPart& part = parts[i];
    HostPiece piece;
    piece.ns = static_cast<double>(part.interval.length());
    piece.owner = owner_of(part);
    piece.is_copy = part.doing == HostDoing::kWaiting && part.copies;
    const bool waits = part.doing == HostDoing::kCode && lines_.waits_for_others(replay_.owners[piece.owner]);
    if (waits) piece.kind = HostKind::kWaitingForOthers;
    if (part.doing == HostDoing::kLaunching) piece.kind = HostKind::kLaunching;
    if (const double factor = outside_factor(part); factor > 0) {
      piece.kind = HostKind::kMeasured;
      piece.outside_factor = factor;
    }
    window.host.push_back(piece);
    if (part.doing != HostDoing::kCode) continue;
    const bool is_first = i == 0 || parts[i - 1].doing != HostDoing::kCode || parts[i - 1].from != part.from ||
                          parts[i - 1].to != part.to;
    if (is_first) begin = part.interval.begin;
    if (waits) shares[piece.owner] += part.interval.length();
    const bool goes_on = i + 1 < parts.size() && parts[i + 1].doing == HostDoing::kCode &&
                         parts[i + 1].from == part.from && parts[i + 1].to == part.to;
    if (goes_on) continue;
    if (!shares.empty() && part.interval.end < span.end) {
      const auto most = std::max_element(shares.begin(), shares.end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
      waits_[{part.from, part.to}].push_back({replay_.windows.size(),
                                              i,
                                              most->first,
                                              {begin, part.interval.end},
                                              static_cast<double>(part.interval.end - span.begin)});
    }
    shares.clear();
  }
}

// Returns when each work ended.
std::vector<uint64_t> ReplayBuilder::add_device(const Interval& span, const Parts& parts,
                                                const std::vector<LaunchedWork>& works, ReplayWindow& window) const {
  std::vector<uint64_t> ends;
  uint64_t done = span.begin;  // end of the device's work so far
  size_t at = 0;               // index of the part that launched the work before
  for (const LaunchedWork& work : works) {
    if (work.interval.begin >= span.end) break;
    const uint64_t begin = std::max(work.interval.begin, span.begin), end = std::min(work.interval.end, span.end);
    if (end <= done) continue;  // other work covers it
    size_t from = at;
    if (work.launch != nullptr) {
      from = std::max(at, part_at(parts, work.launch->begin_ns));
      // A copy or a kernel of a graph: assigned to the latest enqueue before it, or else to that of the work before.
    } else {
      for (size_t i = part_at(parts, begin + kClockSlackNs); i > at; --i)
        if (may_enqueue(parts[i])) {
          from = i;
          break;
        }
    }
    const uint64_t launched = work.launch != nullptr ? work.launch->begin_ns : 0;
    const uint64_t issued = std::max(parts[from].interval.begin, launched);
    const auto pending = static_cast<double>(begin > issued ? begin - issued : 0);
    DevicePiece piece;
    piece.issued_ns = static_cast<double>(issued - parts[from].interval.begin);
    piece.device_ns = static_cast<double>(end - std::max(begin, done));
    piece.latency_ns = std::min(usual_start_ns_, pending);
    if (begin > done && (issued >= done || pending <= static_cast<double>(kLaunchLatencyNs)))
      piece.latency_ns = pending;
    else if (begin > done)
      piece.gap_ns = static_cast<double>(begin - done);
    ++window.host[from].works;
    window.device.push_back(piece);
    ends.push_back(end);
    done = end;
    at = from;
  }
  return ends;
}

// Sets after which work each wait returns, and how long after its end.
void ReplayBuilder::bind_waits(const Parts& parts, const std::vector<uint64_t>& ends, ReplayWindow& window) {
  size_t launched = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    HostPiece& piece = window.host[i];
    launched += piece.works;
    if (parts[i].doing != HostDoing::kWaiting) continue;
    const Interval& wait = parts[i].interval;
    const auto last =
        static_cast<size_t>(std::upper_bound(ends.begin(), ends.end(), wait.end + kClockSlackNs) - ends.begin());
    if (last == 0 || last > launched) continue;  // nothing has ended yet; or its launch is not known
    piece.ends_after = static_cast<uint32_t>(last - 1);
    const uint64_t ended = ends[last - 1];
    piece.return_ns = std::min(kWaitLatencyNs, piece.ns);
    if (ended > wait.begin) piece.ns = piece.return_ns = static_cast<double>(wait.end > ended ? wait.end - ended : 0);
  }
}

// Finds waits whose end another thread or process decides. If the time from one end of such code to the next varies
// much less than the host's own work in between, the wait in it ends when the other thread is ready, however early it
// begins. Both times are measured from call to call, since samples locate the begin of the wait only to a millisecond.
void ReplayBuilder::set_pace(const std::vector<Wait>& waits) {
  std::vector<uint64_t> cycles, own;
  for (size_t i = 1; i < waits.size(); ++i) {
    if (waits[i].window != waits[i - 1].window) continue;
    cycles.push_back(waits[i].interval.end - waits[i - 1].interval.end);
    own.push_back(waits[i].interval.begin - waits[i - 1].interval.end);
  }
  if (cycles.size() < kFewCycles || 2 * spread(std::move(cycles)) >= spread(std::move(own))) return;
  for (const Wait& wait : waits) {
    HostPiece& piece = replay_.windows[wait.window].host[wait.piece];
    piece.not_before_ns = wait.until_ns;
    piece.pace_owner = wait.owner;
  }
}

WindowReplay ReplayBuilder::take() {
  for (const auto& [calls, waits] : waits_) set_pace(waits);
  return std::move(replay_);
}

}  // namespace syncsniff::timeline
