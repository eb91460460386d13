#include "instrument/timeline/host_work.h"

#include <algorithm>
#include <iterator>

namespace syncsniff::timeline {
namespace {

using reader::Frame;
using reader::Place;

constexpr size_t kMostLines = 3;
constexpr double kLeastPieceShare = 0.1;  // of a piece's time

bool is_programs(const Frame& frame) { return !frame.library && frame.line != 0 && frame.file[0] != '<'; }

}  // namespace

HostWork::HostWork(const reader::Trace& trace, const reader::Places& places) : places_(places) {
  for (const auto& call : trace.calls) add_callers(call.record.stack);
  for (const auto& count : trace.site_counts) add_callers(count.record.stack);
  for (const auto& burst : trace.bursts) {
    add_callers(burst.record.first_stack);
    add_callers(burst.record.last_stack);
  }
}

void HostWork::add_callers(uint32_t stack) {
  if (!added_.insert(stack).second) return;
  for (const Frame& frame : places_.stack(stack).frames)
    if (is_programs(frame)) calling_.emplace(frame.file, frame.function);
}

const Frame* HostWork::piece_of(uint32_t stack) const {
  if (!places_.is_programs(stack)) return nullptr;
  const std::vector<Frame>& frames = places_.stack(stack).frames;
  const auto piece = std::find_if(frames.rbegin(), frames.rend(), [this](const Frame& frame) {
    return is_programs(frame) && !calling_.contains({frame.file, frame.function});
  });
  return piece == frames.rend() ? nullptr : &*piece;
}

void WorkTimes::add(const Frame& piece, const Place& at, uint64_t ns) {
  file_ = piece.file;
  function_ = piece.function;
  own_[piece.line] += ns;
  auto& [place, sum] = inner_[at.file + ":" + std::to_string(at.line)];
  place = at;
  sum += ns;
  ns_ += ns;
}

Place WorkTimes::place() const {
  const auto greatest =
      std::max_element(own_.begin(), own_.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return {file_, greatest->first, function_};
}

std::vector<LineOfWork> WorkTimes::lines() const {
  std::vector<LineOfWork> lines;
  for (const auto& [key, time] : inner_)
    lines.push_back({time.first, static_cast<double>(time.second) / static_cast<double>(ns_)});
  std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.share > b.share; });
  std::erase_if(lines, [](const LineOfWork& line) { return line.share < kLeastPieceShare; });
  if (lines.size() > kMostLines) lines.resize(kMostLines);
  if (lines.size() == 1 && lines.front().place == place()) lines.clear();
  return lines;
}

}  // namespace syncsniff::timeline
