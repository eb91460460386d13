#include "instrument/timeline/stand_ins.h"

#include <algorithm>
#include <string>

#include "instrument/timeline/host_lines.h"
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
  for (const auto& [stack, votes] : votes_) behind_[stack] = winner(votes);
}

// Many stacks are one line: the latest of them stands for it.
uint32_t StandIns::winner(const std::map<uint32_t, Votes>& votes) const {
  struct Line {
    Votes votes;
    uint32_t stack = 0;
  };
  std::map<std::string, Line> lines;
  size_t all = 0;
  for (const auto& [stack, given] : votes) {
    Line& line = lines[line_key(places_.user_place(stack)) + "\n" + line_key(places_.inner_place(stack))];
    line.votes.number += given.number;
    if (given.last > line.votes.last) line.votes.last = given.last, line.stack = stack;
    all += given.number;
  }
  for (const auto& [text, line] : lines)
    if (line.votes.number >= kFewVotes &&
        static_cast<double>(line.votes.number) >= kMostVotes * static_cast<double>(all))
      return line.stack;
  return 0;
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
  Votes& votes = votes_[stack][behind->stack];
  ++votes.number;
  votes.last = ++voted_;
}

// Another thread's, nearest in time.
const StandIns::Waiting* StandIns::nearest(uint64_t time_ns, uint32_t tid) const {
  const auto middle = std::lower_bound(waiting_.begin(), waiting_.end(), time_ns,
                                       [](const Waiting& one, uint64_t time) { return one.time_ns < time; });
  const Waiting* best = nullptr;
  uint64_t least = kNearNs;
  auto consider = [&](const Waiting& one) {
    const uint64_t apart = one.time_ns > time_ns ? one.time_ns - time_ns : time_ns - one.time_ns;
    if (one.tid != tid && apart < least) best = &one, least = apart;
  };
  auto it = middle;
  for (size_t i = 0; i < kLookAside && it != waiting_.end(); ++i, ++it) consider(*it);
  it = middle;
  for (size_t i = 0; i < kLookAside && it != waiting_.begin(); ++i) consider(*--it);
  return best;
}

}  // namespace syncsniff::timeline
