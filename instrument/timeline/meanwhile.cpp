#include "instrument/timeline/meanwhile.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace syncsniff::timeline {
namespace {

using reader::Place;
using trace::HostState;

constexpr double kNearlyAllSamples = 0.8, kMostSamples = 0.5;
constexpr double kLeastWorkShare = 0.1;
constexpr double kLeastIdleShare = 0.3;  // the same for a thread that sleeps or reads
constexpr uint64_t kFewWorkSamples = 5;
constexpr size_t kMostWorks = 2;

// An unrecognised system call counts as work, too: memory is requested, a file is opened.
bool runs(HostState state) { return state == HostState::kRunning || state == HostState::kUnknown; }

// Python's function that forks a worker. The frames of its callers are on the worker's stack, too, but are the
// parent's.
bool forks_workers(const reader::Frame& frame) {
  return frame.python && frame.file.ends_with("/multiprocessing/popen_fork.py");
}

uint32_t commonest(const std::map<uint32_t, uint64_t>& lines) {
  return std::max_element(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

}  // namespace

// Adds the program's functions on the sample's stack to `calls`, outermost first. For a process that runs only
// libraries it adds the library's line, or else the process's name. Returns false if there is nothing to add.
bool Meanwhile::add_frames(const trace::OtherSampleRecord& sample, Calls& calls) const {
  const std::vector<reader::Frame>& frames = places_.stack(sample.stack).frames;
  const auto is_fork = [](const reader::Frame& frame) { return forks_workers(frame); };
  const auto begun_by = sample.pid == 0 ? frames.end() : std::find_if(frames.begin(), frames.end(), is_fork);
  Calls* at = nullptr;
  const auto enter = [&](const std::string& file, const std::string& function, uint32_t line) {
    if (at == nullptr) at = &calls, ++calls.count;
    at = &at->callees[{file, function}];
    ++at->count;
    ++at->lines[line];
  };
  for (auto frame = std::make_reverse_iterator(begun_by); frame != frames.rend(); ++frame)
    if (!frame->library && frame->line != 0 && frame->file[0] != '<') enter(frame->file, frame->function, frame->line);
  if (at == nullptr && sample.pid != 0 && runs(static_cast<HostState>(sample.state))) {
    const Place place = places_.user_place(sample.stack);
    const auto name = trace_.processes.find(sample.pid);
    if (place.line != 0)
      enter(place.file, place.function, place.line);
    else if (name != trace_.processes.end())
      enter("", name->second, 0);
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
  std::map<uint32_t, const trace::OtherSampleRecord*> seen;  // by thread; one sample of each
  for (; it != trace_.other_samples.end() && it->time_ns < part.interval.end; ++it) seen.try_emplace(it->tid, &*it);
  for (const auto& [tid, sample] : seen) {
    add_turns(*sample, pause);
    const auto state = static_cast<HostState>(sample->state);
    Other& other = wait.others[{tid, runs(state) ? HostState::kRunning : state}];
    other.pid = sample->pid;
    if (add_frames(*sample, other.calls)) other.seen.push_back(wait.samples);
  }
}

bool Meanwhile::goes_on(uint32_t tid) const {
  const auto it = turns_.find(tid);
  return it != turns_.end() && it->second.pauses != 0 && it->second.moved >= kMostSamples * it->second.pauses;
}

// Descends from `calls` to the innermost function with at least `least` samples; returns `calls` itself if no function
// that it calls has so many.
const Meanwhile::Calls* Meanwhile::innermost_with(double least, const Calls& calls, Place& place) {
  for (const auto& [function, callee] : calls.callees) {
    if (static_cast<double>(callee.count) < least) continue;  // at most one callee has more than half of them
    place = {function.first, commonest(callee.lines), function.second};
    return innermost_with(least, callee, place);
  }
  return &calls;
}

// Sums up everything beneath `calls` by function, regardless of the call path. A recursive function counts once.
void Meanwhile::add_functions(const Calls& calls, unsigned depth, std::set<Function>& on_path, Functions& functions) {
  for (const auto& [function, callee] : calls.callees) {
    const bool is_first = on_path.insert(function).second;
    if (is_first) {
      InFunction& in = functions[function];
      in.count += callee.count;
      in.depth = std::max(in.depth, depth);
      for (const auto& [line, count] : callee.lines) in.lines[line] += count;
    }
    add_functions(callee, depth + 1, on_path, functions);
    if (is_first) on_path.erase(function);
  }
}

// The function with the fewest samples among those that have at least `least`; empty: there is none.
Place Meanwhile::smallest_with(double least, const Calls& calls) {
  Functions functions;
  std::set<Function> on_path;
  add_functions(calls, 0, on_path, functions);
  const auto smaller = [least](const auto& a, const auto& b) {
    const bool a_has = static_cast<double>(a.second.count) >= least,
               b_has = static_cast<double>(b.second.count) >= least;
    if (a_has != b_has) return a_has;
    return std::make_pair(a.second.count, b.second.depth) < std::make_pair(b.second.count, a.second.depth);
  };
  const auto found = std::min_element(functions.begin(), functions.end(), smaller);
  if (found == functions.end() || static_cast<double>(found->second.count) < least) return {};
  return {found->first.first, commonest(found->second.lines), found->first.second};
}

OtherWork Meanwhile::work_of(const Calls& root, HostState state) {
  OtherWork work;
  work.state = state;
  const auto all = static_cast<double>(root.count);
  const Calls* const owner = innermost_with(kNearlyAllSamples * all, root, work.place);
  Place& hottest = owner == &root ? work.place : work.hottest;
  hottest = smallest_with(kMostSamples * all, *owner);
  return work;
}

void Meanwhile::merge(const Calls& from, Calls& into) {
  into.count += from.count;
  for (const auto& [line, count] : from.lines) into.lines[line] += count;
  for (const auto& [function, callee] : from.callees) merge(callee, into.callees[function]);
}

// Threads that begin in the same function count as one work.
std::vector<OtherWork> Meanwhile::works_of(const Wait& wait, bool of_running) const {
  struct Group {
    Calls calls;
    std::set<uint32_t> doers;  // threads, or other processes
    uint64_t seen = 0;
    std::set<uint32_t> samples;
  };
  struct Begun {
    HostState state;
    bool is_elsewhere;
    Function function;
    auto operator<=>(const Begun&) const = default;
  };
  std::map<Begun, Group> groups;
  for (const auto& [doing, other] : wait.others) {
    if (runs(doing.second) != of_running || (!of_running && !goes_on(doing.first)) || other.calls.count == 0) continue;
    const auto outermost =
        std::max_element(other.calls.callees.begin(), other.calls.callees.end(),
                         [](const auto& a, const auto& b) { return a.second.count < b.second.count; });
    Group& group = groups[{doing.second, other.pid != 0, outermost->first}];
    merge(other.calls, group.calls);
    group.doers.insert(other.pid != 0 ? other.pid : doing.first);
    group.seen += other.seen.size();
    group.samples.insert(other.seen.begin(), other.seen.end());
  }
  std::vector<OtherWork> works;
  for (const auto& [key, group] : groups) {
    OtherWork work = work_of(group.calls, key.state);
    work.is_elsewhere = key.is_elsewhere;
    if (work.place.file.empty()) work.process = std::exchange(work.place.function, {});
    const auto times = static_cast<double>(group.samples.size());
    work.share = times / static_cast<double>(wait.samples);
    work.threads = static_cast<unsigned>(group.doers.size());
    work.at_once = static_cast<double>(group.seen) / times;
    const bool is_known = !work.place.file.empty() || !work.process.empty();
    if (is_known && work.share >= (of_running ? kLeastWorkShare : kLeastIdleShare)) works.push_back(work);
  }
  return works;
}

std::vector<OtherWork> Meanwhile::of(size_t line) const {
  const auto it = waits_.find(line);
  if (it == waits_.end() || it->second.samples < kFewWorkSamples) return {};
  std::vector<OtherWork> works = works_of(it->second, true);
  if (std::none_of(works.begin(), works.end(), [](const OtherWork& work) { return work.share >= kMostSamples; })) {
    const std::vector<OtherWork> idle = works_of(it->second, false);
    works.insert(works.end(), idle.begin(), idle.end());
  }
  std::stable_sort(works.begin(), works.end(), [](const auto& a, const auto& b) { return a.share > b.share; });
  if (works.size() > kMostWorks) works.resize(kMostWorks);
  return works;
}

}  // namespace syncsniff::timeline
