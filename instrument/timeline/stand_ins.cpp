#include "instrument/timeline/stand_ins.h"

#include <algorithm>
#include <string>

#include "instrument/timeline/host_lines.h"
#include "instrument/timeline/windows.h"

namespace syncsniff::timeline {
namespace {

constexpr uint64_t kNearNs = 3000000;  // samples are about a ms apart
constexpr size_t kLookAside = 16;      // how many samples of the thread itself, or of similar ones, may lie in between
constexpr size_t kFewVotes = 3;
constexpr double kMostVotes = 0.6;

}  // namespace

bool waits(const trace::SampleRecord& sample) {
  const auto state = static_cast<trace::HostState>(sample.state);
  return sample.in_call == 0 && state != trace::HostState::kRunning && state != trace::HostState::kUnknown;
}

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
  list_calls(trace, windows);
}

// Lists the calls of the threads that waited, and where they waited after each.
void StandIns::list_calls(const reader::Trace& trace, const std::vector<Interval>& windows) {
  for (const Waiting& one : waiting_) calls_[one.tid];
  for (const auto& event : trace.calls)
    if (const auto it = calls_.find(event.tid);
        it != calls_.end() && interval_at(windows, event.record.begin_ns) != nullptr)
      it->second.push_back({event.record.begin_ns, event.record.stack});
  std::unordered_map<uint32_t, VotesByStack> votes;
  for (const Waiting& one : waiting_)
    if (const uint32_t call = last_call(one.tid, one.time_ns); call != 0) add_vote(votes[call], one.stack);
  for (const auto& [call, given] : votes) after_call_[call] = winner(given);
}

uint32_t StandIns::last_call(uint32_t tid, uint64_t time_ns) const {
  const auto thread = calls_.find(tid);
  if (thread == calls_.end()) return 0;
  const auto after = std::upper_bound(thread->second.begin(), thread->second.end(), time_ns,
                                      [](uint64_t time, const Call& call) { return time < call.time_ns; });
  return after != thread->second.begin() ? std::prev(after)->stack : 0;
}

// The line with the most votes. Several stacks may be one line: the latest of them represents it.
uint32_t StandIns::winner(const VotesByStack& votes) const {
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

uint32_t StandIns::line_behind(uint32_t stack, uint64_t time_ns) const {
  const auto it = behind_.find(stack);
  if (it == behind_.end()) return 0;
  if (it->second != 0) return it->second;
  const auto waiter = waiter_.find(stack);
  const auto after = after_call_.find(waiter != waiter_.end() ? last_call(waiter->second, time_ns) : 0);
  return after != after_call_.end() ? after->second : 0;
}

bool StandIns::has_line(uint32_t stack) {
  auto [it, fresh] = has_line_.try_emplace(stack, false);
  if (fresh) it->second = places_.is_programs(stack) && !places_.user_place(stack).file.empty();
  return it->second;
}

void StandIns::vote(uint64_t time_ns, uint32_t tid, uint32_t stack) {
  if (stack == 0 || has_line(stack)) return;
  const Waiting* behind = nearest(time_ns, tid);
  if (behind == nullptr) return;
  add_vote(votes_[stack], behind->stack);
  waiter_[stack] = behind->tid;
}

void StandIns::add_vote(VotesByStack& votes, uint32_t waiting) {
  Votes& given = votes[waiting];
  ++given.number;
  given.last = ++voted_;
}

// The waiting sample of another thread that is nearest in time; nullptr: none is near.
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
