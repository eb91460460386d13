#include "instrument/timeline/meanwhile.h"

#include <algorithm>
#include <set>

namespace syncsniff::timeline {
namespace {

using reader::Place;
using trace::HostState;

constexpr double kNearlyAll = 0.8, kMost = 0.5;
constexpr double kLeastShare = 0.1;
constexpr double kLeastIdleShare = 0.3;  // of a thread that sleeps or reads
constexpr uint64_t kFewSamples = 5;
constexpr size_t kMostWorks = 2;

// A system call that is not one of the known ones is work, too: memory that is asked for, a file that is opened.
bool runs(HostState state) { return state == HostState::kRunning || state == HostState::kUnknown; }

uint32_t commonest(const std::map<uint32_t, uint64_t>& lines) {
  return std::max_element(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

}  // namespace

// Counts the functions of the program that the stack goes through, from the outermost inward. False: there are none.
bool Meanwhile::add_frames(uint32_t stack, Calls& calls) const {
  const std::vector<reader::Frame>& frames = places_.stack(stack).frames;
  Calls* at = nullptr;
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
    if (frame->library || frame->line == 0) continue;
    if (at == nullptr) at = &calls, ++calls.count;
    at = &at->callees[{frame->file, frame->function}];
    ++at->count;
    ++at->lines[frame->line];
  }
  return at != nullptr;
}

void Meanwhile::add_turns(const trace::OtherSampleRecord& sample, uint64_t pause) {
  if (sample.turns == 0) return;
  const auto [it, is_new] = turns_.try_emplace(sample.tid);
  Turns& turns = it->second;
  if (!is_new && turns.pause != pause) {
    ++turns.pauses;
    turns.moved += turns.last != sample.turns;
  }
  if (is_new || turns.pause != pause) turns.last = sample.turns;
  turns.pause = pause;
}

void Meanwhile::add(size_t line, const HostPart& part, uint64_t pause) {
  if (!part.sampled || !trace::waits_for_others(part.state) || trace_.other_samples.empty()) return;
  Wait& wait = waits_[line];
  ++wait.samples;
  auto it = std::lower_bound(trace_.other_samples.begin(), trace_.other_samples.end(), part.interval.begin,
                             [](const auto& sample, uint64_t time) { return sample.time_ns < time; });
  std::map<uint32_t, const trace::OtherSampleRecord*> seen;  // by thread, each once
  for (; it != trace_.other_samples.end() && it->time_ns < part.interval.end; ++it) seen.try_emplace(it->tid, &*it);
  for (const auto& [tid, sample] : seen) {
    add_turns(*sample, pause);
    const auto state = static_cast<HostState>(sample->state);
    Other& other = wait.others[{tid, runs(state) ? HostState::kRunning : state}];
    if (add_frames(sample->stack, other.calls)) other.seen.push_back(wait.samples);
  }
}

bool Meanwhile::goes_on(uint32_t tid) const {
  const auto it = turns_.find(tid);
  return it != turns_.end() && it->second.pauses != 0 && it->second.moved >= kMost * it->second.pauses;
}

// The innermost function, from `calls` on, with at least so many of the samples; `calls` itself: none that it called.
const Meanwhile::Calls* Meanwhile::innermost_with(double least, const Calls& calls, Place& place) {
  for (const auto& [function, callee] : calls.callees) {
    if (static_cast<double>(callee.count) < least) continue;  // of half of them or more there is one
    place = {function.first, commonest(callee.lines), function.second};
    return innermost_with(least, callee, place);
  }
  return &calls;
}

OtherWork Meanwhile::work_of(const Calls& root, HostState state) {
  OtherWork work;
  work.state = state;
  const auto all = static_cast<double>(root.count);
  const Calls* const owner = innermost_with(kNearlyAll * all, root, work.place);
  if (owner == &root)
    innermost_with(kMost * all, root, work.place);
  else
    innermost_with(kMost * all, *owner, work.hottest);
  return work;
}

void Meanwhile::merge(const Calls& from, Calls& into) {
  into.count += from.count;
  for (const auto& [line, count] : from.lines) into.lines[line] += count;
  for (const auto& [function, callee] : from.callees) merge(callee, into.callees[function]);
}

// Threads that begin in the same function do one work.
std::vector<OtherWork> Meanwhile::works_of(const Wait& wait, bool of_running) const {
  struct Group {
    Calls calls;
    unsigned threads = 0;
    uint64_t seen = 0;
    std::set<uint32_t> samples;
  };
  std::map<std::pair<HostState, Function>, Group> groups;
  for (const auto& [doing, other] : wait.others) {
    if (runs(doing.second) != of_running || (!of_running && !goes_on(doing.first)) || other.calls.count == 0) continue;
    const auto outermost =
        std::max_element(other.calls.callees.begin(), other.calls.callees.end(),
                         [](const auto& a, const auto& b) { return a.second.count < b.second.count; });
    Group& group = groups[{doing.second, outermost->first}];
    merge(other.calls, group.calls);
    ++group.threads;
    group.seen += other.seen.size();
    group.samples.insert(other.seen.begin(), other.seen.end());
  }
  std::vector<OtherWork> works;
  for (const auto& [key, group] : groups) {
    OtherWork work = work_of(group.calls, key.first);
    const auto times = static_cast<double>(group.samples.size());
    work.share = times / static_cast<double>(wait.samples);
    work.threads = group.threads;
    work.at_once = static_cast<double>(group.seen) / times;
    if (!work.place.file.empty() && work.share >= (of_running ? kLeastShare : kLeastIdleShare)) works.push_back(work);
  }
  return works;
}

std::vector<OtherWork> Meanwhile::of(size_t line) const {
  const auto it = waits_.find(line);
  if (it == waits_.end() || it->second.samples < kFewSamples) return {};
  std::vector<OtherWork> works = works_of(it->second, true);
  if (std::none_of(works.begin(), works.end(), [](const OtherWork& work) { return work.share >= kMost; })) {
    const std::vector<OtherWork> idle = works_of(it->second, false);
    works.insert(works.end(), idle.begin(), idle.end());
  }
  std::stable_sort(works.begin(), works.end(), [](const auto& a, const auto& b) { return a.share > b.share; });
  if (works.size() > kMostWorks) works.resize(kMostWorks);
  return works;
}

}  // namespace syncsniff::timeline
