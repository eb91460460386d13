#include "instrument/timeline/line_steps.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "instrument/timeline/anchor.h"
#include "instrument/timeline/sites.h"

namespace syncsniff::timeline {
namespace {

using reader::Places;
using reader::Trace;
using trace::CallClass;

constexpr size_t kThreadsTried = 4;

// Loading, allocating and freeing happen when something is new, not once a step.
bool may_begin_a_step(const trace::CallRecord& call, bool with_launches) {
  // Calls that are listed only in windows are not used: steps must be found by the same calls inside and outside.
  if ((call.flags & trace::kInWindow) != 0) return false;
  const auto call_class = static_cast<CallClass>(call.call_class);
  if (call_class == CallClass::kModuleLoad || call_class == CallClass::kAllocate || call_class == CallClass::kFree)
    return false;
  return with_launches || waited(call);
}

struct ThreadSequence {
  std::vector<TimedSymbol> symbols;
};

// Numbers the lines of the user's source. A line has one number, whatever call path leads to it.
class LineNumbers {
 public:
  // `places`: if null, each call path has its own number.
  explicit LineNumbers(const Places* places) : places_(places) {}
  uint32_t operator()(uint32_t stack, uint32_t api) {
    auto [it, fresh] = by_stack_.try_emplace({stack, api}, 0);
    if (!fresh) return it->second;
    const reader::Place place = places_ != nullptr ? places_->user_place(stack) : reader::Place();
    // Places without a name are distinguished by their stack.
    const uint64_t spot = place.file.empty() ? stack : place.line != 0 ? place.line : place.offset;
    it->second = numbers_.try_emplace({place.file, spot, api}, static_cast<uint32_t>(stacks_.size())).first->second;
    if (it->second == stacks_.size()) stacks_.push_back(stack);
    return it->second;
  }
  uint32_t stack_of(uint32_t number) const { return stacks_[number]; }

 private:
  const Places* places_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> by_stack_;
  std::map<std::tuple<std::string, uint64_t, uint32_t>, uint32_t> numbers_;
  std::vector<uint32_t> stacks_;
};

// Per thread, the calls in time order; busiest threads first.
std::vector<ThreadSequence> thread_sequences(const Trace& trace, LineNumbers& lines, bool with_launches) {
  constexpr uint32_t kBurstApi = UINT32_MAX;
  std::map<uint32_t, ThreadSequence> threads;
  for (const auto& call : trace.calls)
    if (may_begin_a_step(call.record, with_launches))
      threads[call.tid].symbols.push_back({lines(call.record.stack, call.record.api), call.record.begin_ns});
  if (with_launches)
    for (const auto& burst : trace.bursts)
      threads[burst.tid].symbols.push_back({lines(burst.record.first_stack, kBurstApi), burst.record.first_begin_ns});
  std::vector<ThreadSequence> list;
  for (auto& [tid, thread] : threads) {
    std::stable_sort(thread.symbols.begin(), thread.symbols.end(),
                     [](const auto& a, const auto& b) { return a.time_ns < b.time_ns; });
    list.push_back(std::move(thread));
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const auto& a, const auto& b) { return a.symbols.size() > b.symbols.size(); });
  if (list.size() > kThreadsTried) list.resize(kThreadsTried);
  return list;
}

// Finds steps by line or, if `places` is null, by call path.
std::optional<LineSteps> steps_by(const Trace& trace, const Places* places, bool with_launches) {
  std::vector<TimedCount> launches;
  for (const auto& burst : trace.bursts) launches.push_back({burst.record.first_begin_ns, burst.record.launches});
  LineNumbers lines(places);
  std::optional<Anchor> best;
  for (const ThreadSequence& thread : thread_sequences(trace, lines, with_launches)) {
    std::optional<Anchor> anchor = find_anchor(thread.symbols, launches);
    if (anchor && (!best || anchor->explained > best->explained)) best = std::move(anchor);
  }
  if (!best) return std::nullopt;
  LineSteps found;
  found.begins = best->begins;
  found.stack = lines.stack_of(best->symbol);
  found.sure = std::min(best->coverage, best->regularity);
  Steps steps;
  keep_regular(trace, between(found.begins, found.begins.back()), steps);
  if (!steps.found() || !holds_the_work(trace, found.begins, steps.regular)) return std::nullopt;
  return found;
}

// How many call paths launched, and how many kernels were launched from all paths together, as often as there are
// steps. Most of what a step does is done once, so the right number of steps gives a high result.
size_t counted_as_often(const Trace& trace, size_t steps) {
  std::map<uint64_t, std::pair<uint64_t, size_t>> kernels;  // object -> launches, paths
  size_t often = 0;
  for (const auto& event : trace.site_counts) {
    const trace::SiteCountRecord& count = event.record;
    if (count.call_class != static_cast<uint8_t>(CallClass::kLaunch)) continue;
    often += same_count(count.count, steps);
    kernels[count.object].first += count.count;
    ++kernels[count.object].second;
  }
  for (const auto& [object, launches] : kernels)
    often += object != 0 && launches.second > 1 && same_count(launches.first, steps);
  return often;
}

// Decides between steps by line and by call path. Several paths may reach a line in turn (warm-up and the loop itself):
// then only the line's calls are all steps. Or they reach it within one step: then a single path's calls are the steps.
LineSteps choose(const Trace& trace, const Places& places, LineSteps line, LineSteps path) {
  const size_t of_line = line.begins.size(), of_path = path.begins.size();
  if (same_count(of_line, of_path)) return line;
  const size_t as_line = counted_as_often(trace, of_line), as_path = counted_as_often(trace, of_path);
  const bool by_path = as_path > as_line || (as_path == as_line && path.sure > line.sure);
  const bool clear = by_path ? as_path > 2 * as_line : places.user_place(line.stack) == places.user_place(path.stack);
  LineSteps chosen = by_path ? std::move(path) : std::move(line);
  if (!clear) chosen.other_count = by_path ? of_line : of_path;
  return chosen;
}

}  // namespace

std::optional<LineSteps> steps_by_lines(const Trace& trace, const Places& places) {
  for (const bool with_launches : {false, true}) {
    std::optional<LineSteps> line = steps_by(trace, &places, with_launches);
    std::optional<LineSteps> path = steps_by(trace, nullptr, with_launches);
    if (!line && !path) continue;
    if (!line || !path) return line ? line : path;
    return choose(trace, places, std::move(*line), std::move(*path));
  }
  return std::nullopt;
}

bool anything_waits(const Trace& trace) {
  return std::any_of(trace.calls.begin(), trace.calls.end(),
                     [](const auto& call) { return may_begin_a_step(call.record, false); });
}

// True if any call path waits often enough for its waits to be counted as steps.
bool waits_often(const Trace& trace) {
  std::map<std::pair<uint32_t, uint16_t>, size_t> waits;
  for (const auto& call : trace.calls)
    if (may_begin_a_step(call.record, false) && ++waits[{call.record.stack, call.record.api}] > kMinSteps) return true;
  return false;
}

}  // namespace syncsniff::timeline
