#include "instrument/compare/line_changes.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace syncsniff::compare {
namespace {

template <class Line>
std::vector<LineId> ids_of(const std::vector<Line>& lines) {
  std::vector<LineId> ids;
  for (const Line& line : lines) ids.push_back(line.line);
  return ids;
}

void sort_by_change(std::vector<LineChange>& changes) {
  const auto size = [](const LineChange& change) {
    return std::tuple(std::abs(change.change_ns()), std::abs(change.b_count - change.a_count));
  };
  std::stable_sort(changes.begin(), changes.end(),
                   [&](const LineChange& x, const LineChange& y) { return size(x) > size(y); });
}

// Pairs the lines of both recordings. `a_side` and `b_side` copy a line's figures to that side of the change.
template <class Line, class ASide, class BSide>
std::vector<LineChange> paired(const std::vector<Line>& a, const std::vector<Line>& b, ASide a_side, BSide b_side) {
  std::vector<LineChange> changes;
  for (const LinePair& pair : match_lines(ids_of(a), ids_of(b))) {
    LineChange change;
    if (pair.a != kNoLine) {
      change.in_a = true;
      change.line = a[pair.a].line;
      change.was = change.line.place;
      a_side(a[pair.a], change);
    }
    if (pair.b != kNoLine) {
      change.in_b = true;
      change.line = b[pair.b].line;
      b_side(b[pair.b], change);
    }
    changes.push_back(std::move(change));
  }
  sort_by_change(changes);
  return changes;
}

void name_idle(const IdleLine& line, LineChange& change) {
  change.kind = line.doing;
  change.call = line.call;
  change.thread = line.thread;
}

void name_call(const CallLine& line, LineChange& change) {
  change.kind = line.line.what;
  if (!line.rule.empty()) change.rule = line.rule;
}

}  // namespace

const char* to_string(Fate fate) {
  static constexpr const char* kNames[] = {"gone", "new", "shrank", "grew", "same"};
  return kNames[static_cast<size_t>(fate)];
}

Fate LineChange::fate() const {
  if (!in_b) return Fate::kGone;
  if (!in_a) return Fate::kNew;
  const double by_time = change_ns(), by_count = b_count - a_count;
  const double change = by_time != 0 ? by_time : by_count;
  return change < 0 ? Fate::kShrank : change > 0 ? Fate::kGrew : Fate::kSame;
}

std::vector<LineChange> idle_changes(const DeviceFigures& a, const DeviceFigures& b, double a_ns, double b_ns) {
  return paired(
      a.lines, b.lines,
      [&](const IdleLine& line, LineChange& change) {
        name_idle(line, change);
        change.a_ns = line.share * a_ns;
      },
      [&](const IdleLine& line, LineChange& change) {
        name_idle(line, change);
        change.b_ns = line.share * b_ns;
      });
}

std::vector<LineChange> call_changes(const CallFigures& a, const CallFigures& b) {
  return paired(
      a.lines, b.lines,
      [](const CallLine& line, LineChange& change) {
        name_call(line, change);
        change.a_ns = line.time_ns;
        change.a_count = line.count;
        change.a_bytes = line.bytes;
      },
      [](const CallLine& line, LineChange& change) {
        name_call(line, change);
        change.b_ns = line.time_ns;
        change.b_count = line.count;
        change.b_bytes = line.bytes;
      });
}

}  // namespace syncsniff::compare
