#include "instrument/timeline/sent_again.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "instrument/timeline/host_lines.h"
#include "instrument/timeline/replay.h"
#include "instrument/timeline/windows.h"

namespace syncsniff::timeline {
namespace {

// Least share of the 112 compared words that must differ from their neighbour. If nearly all words are alike (zeros, a
// mask), other bytes may well have the same samples, so the copy is ignored.
constexpr double kLeastVaried = 0.2;
constexpr uint64_t kFewTimes = 3;
constexpr double kLeastOfLine = 0.25, kLeastOfTime = 0.01;

// Identifies what was copied: device, number of bytes, and two figures of the samples.
using Content = std::tuple<uint32_t, uint64_t, uint64_t, uint16_t>;

bool has_content(const trace::SentRecord& sent) {
  return sent.compared != 0 && sent.varied >= kLeastVaried * sent.compared;
}

// The listed copy that the samples belong to; nullptr: none is listed.
const trace::CallRecord* call_of(const reader::Trace& trace, const reader::Event<trace::SentRecord>& sent) {
  auto it = std::lower_bound(trace.calls.begin(), trace.calls.end(), sent.record.begin_ns,
                             [](const auto& call, uint64_t time) { return call.record.begin_ns < time; });
  for (; it != trace.calls.end() && it->record.begin_ns == sent.record.begin_ns; ++it)
    if (it->tid == sent.tid && it->record.bytes == sent.record.bytes) return &it->record;
  return nullptr;
}

std::vector<Interval> whole_steps_in(const std::vector<Interval>& windows, const Steps& steps) {
  std::vector<Interval> whole;
  for (const Interval& step : steps.regular) {
    const Interval* window = interval_at(windows, step.begin);
    if (window != nullptr && step.end <= window->end) whole.push_back(step);
  }
  return whole;
}

uint64_t length_of(const std::vector<Interval>& intervals) {
  uint64_t sum = 0;
  for (const Interval& interval : intervals) sum += interval.length();
  return sum;
}

// A full timeline is one window without ends, or no window if the GPU's work could not be recorded.
uint64_t covered_ns(const reader::Trace& trace, const std::vector<Interval>& windows) {
  const uint64_t run_ns = trace.end_ns() > trace.begin_ns() ? trace.end_ns() - trace.begin_ns() : 0;
  return windows.empty() ? run_ns : std::min(run_ns, length_of(windows));
}

class Lines {
 public:
  Lines(const reader::Trace& trace, const reader::Places& places) : trace_(trace), places_(places) {}

  // Adds a copy to its line. `is_again`: the same content was sent before.
  void add(const trace::CallRecord& call, const Content& content, bool is_again) {
    const size_t at = find(call);
    SentLine& line = lines_[at];
    line.host_memory |= static_cast<uint8_t>(1u << (call.src_memory & 7));
    ++line.copies;
    line.bytes += call.bytes;
    if (!is_again) return;
    ++line.again;
    line.again_bytes += call.bytes;
    line.again_ns += call.duration_ns;
    if (!contents_.insert({at, content}).second) return;
    ++line.again_contents;
    line.contents_bytes += call.bytes;
  }

  std::vector<SentLine> take() {
    std::erase_if(lines_, [](const SentLine& line) { return line.again == 0; });
    std::stable_sort(lines_.begin(), lines_.end(),
                     [](const auto& a, const auto& b) { return a.again_bytes > b.again_bytes; });
    return std::move(lines_);
  }

 private:
  size_t find(const trace::CallRecord& call) {
    const auto [known, fresh] = by_stack_.try_emplace({call.stack, call.api}, 0);
    if (!fresh) return known->second;
    SentLine line;
    line.place = places_.user_place(call.stack);
    line.inner = places_.inner_place(call.stack);
    line.api = trace_.api_name(call.api);
    const auto [at, is_new] =
        by_place_.try_emplace({line_key(line.place), line_key(line.inner), line.api}, lines_.size());
    if (is_new) lines_.push_back(std::move(line));
    return known->second = at->second;
  }

  const reader::Trace& trace_;
  const reader::Places& places_;
  std::vector<SentLine> lines_;
  std::map<std::pair<uint32_t, uint32_t>, size_t> by_stack_;
  std::map<std::tuple<std::string, std::string, std::string>, size_t> by_place_;
  std::set<std::pair<size_t, Content>> contents_;
};

}  // namespace

SentAgain find_sent_again(const reader::Trace& trace, const reader::Places& places, const Steps& steps) {
  SentAgain all;
  if (trace.sent.empty()) return all;
  const std::vector<Interval> windows = find_windows(trace), whole = whole_steps_in(windows, steps);
  const bool of_steps = whole.size() >= kMinSteps;
  all.steps = of_steps ? static_cast<double>(whole.size()) : 0;
  all.span_ns = of_steps ? length_of(whole) : covered_ns(trace, windows);
  Lines lines(trace, places);
  std::set<Content> known;
  for (const auto& sent : trace.sent) {
    const trace::CallRecord* call = call_of(trace, sent);
    if (call == nullptr) continue;
    const Content content{call->device, sent.record.bytes, sent.record.hash, sent.record.varied};
    const bool is_again = has_content(sent.record) && !known.insert(content).second;
    if (!of_steps || interval_at(whole, sent.record.begin_ns) != nullptr) lines.add(*call, content, is_again);
  }
  all.lines = lines.take();
  return all;
}

bool is_worth_telling(const SentLine& line, const SentAgain& all) {
  const double cost_ns =
      std::max(static_cast<double>(line.again_ns), kCopyNsPerByte * static_cast<double>(line.again_bytes));
  return line.again >= kFewTimes &&
         static_cast<double>(line.again_bytes) >= kLeastOfLine * static_cast<double>(line.bytes) &&
         cost_ns >= kLeastOfTime * static_cast<double>(all.span_ns);
}

}  // namespace syncsniff::timeline
