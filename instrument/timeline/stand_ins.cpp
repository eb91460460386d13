#include "instrument/timeline/stand_ins.h"

#include <algorithm>
#include <string>

#include "instrument/timeline/windows.h"

namespace syncsniff::timeline {
namespace {

constexpr uint64_t kNearNs = 3000000;  // samples come every ms or so
constexpr size_t kLookAside = 16;      // samples of the thread itself, or of others like it, in between
constexpr size_t kFewVotes = 3;
constexpr double kMostVotes = 0.6;

bool waits(const trace::SampleRecord& sample) {
  const auto state = static_cast<trace::HostState>(sample.state);
  return sample.in_call == 0 && state != trace::HostState::kRunning && state != trace::HostState::kUnknown;
}

}  // namespace

StandIns::StandIns(const reader::Trace& trace, const reader::Places& places, const std::vector<Interval>& windows)
    : places_(places) {
  for (const trace::SampleRecord& sample : trace.samples)
    if (sample.stack != 0 && waits(sample) && has_line(sample.stack))
      waiting_.push_back({sample.time_ns, sample.tid, sample.stack});
  if (waiting_.empty()) return;
  for (const auto& event : trace.calls)
    if (interval_at(windows, event.record.begin_ns) != nullptr)
      vote(event.record.begin_ns, event.tid, event.record.stack);
  for (const trace::SampleRecord& sample : trace.samples)
    if (sample.in_call == 0) vote(sample.time_ns, sample.tid, sample.stack);
  for (const auto& [stack, votes] : votes_)
    for (const auto& [line, counted] : votes.lines)
      if (counted.first >= kFewVotes &&
          static_cast<double>(counted.first) >= kMostVotes * static_cast<double>(votes.all))
        behind_[stack] = counted.second;
}

uint32_t StandIns::line_behind(uint32_t stack) const {
  const auto it = behind_.find(stack);
  return it != behind_.end() ? it->second : 0;
}

bool StandIns::has_line(uint32_t stack) {
  auto [it, fresh] = has_line_.try_emplace(stack, false);
  if (fresh) it->second = !places_.user_place(stack).file.empty();
  return it->second;
}

void StandIns::vote(uint64_t time_ns, uint32_t tid, uint32_t stack) {
  if (stack == 0 || has_line(stack)) return;
  const Waiting* behind = nearest(time_ns, tid);
  if (behind == nullptr) return;
  const reader::Place place = places_.user_place(behind->stack), inner = places_.inner_place(behind->stack);
  Votes& votes = votes_[stack];
  ++votes.all;
  auto& [number, one] =
      votes.lines[place_text(place) + "\n" + place.file + "\n" + place_text(inner) + "\n" + inner.file];
  ++number;
  one = behind->stack;
}

// Another thread's, nearest in time.
const StandIns::Waiting* StandIns::nearest(uint64_t time_ns, uint32_t tid) const {
  const auto middle = std::lower_bound(waiting_.begin(), waiting_.end(), time_ns,
                                       [](const Waiting& one, uint64_t time) { return one.time_ns < time; });
  const Waiting* best = nullptr;
  auto consider = [&](const Waiting& one) {
    const uint64_t apart = one.time_ns > time_ns ? one.time_ns - time_ns : time_ns - one.time_ns;
    const uint64_t least = best == nullptr           ? kNearNs
                           : best->time_ns > time_ns ? best->time_ns - time_ns
                                                     : time_ns - best->time_ns;
    if (one.tid != tid && apart < least) best = &one;
  };
  auto it = middle;
  for (size_t i = 0; i < kLookAside && it != waiting_.end(); ++i, ++it) consider(*it);
  it = middle;
  for (size_t i = 0; i < kLookAside && it != waiting_.begin(); ++i) consider(*--it);
  return best;
}

}  // namespace syncsniff::timeline
