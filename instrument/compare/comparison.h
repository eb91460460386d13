// Two recordings of one program, compared figure by figure and line by line. Contains no printing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "instrument/compare/median_change.h"
#include "instrument/compare/run_figures.h"

namespace syncsniff::compare {

enum class Unit { kTime, kShare, kCount, kBytes };  // ns; 0 to 1; a number; bytes

// nullopt: the recording does not contain the figure.
struct Figure {
  std::string name;  // "GPU busy"
  Unit unit = Unit::kTime;
  std::optional<double> a, b;
  size_t depth = 0;  // 0: a figure; 1: a part of the last figure of depth 0 before it
};

enum class Fate { kGone, kNew, kShrank, kGrew, kSame };
const char* to_string(Fate fate);

// The change at a line that occurs in one or both recordings: ns per step (or per second) and number of calls.
struct LineChange {
  LineId line;               // as in b; if the line is gone, as in a
  reader::Place was;         // where the line is in a, if both recordings have it
  std::string kind;          // for idle time: what the host did; otherwise the call
  std::string call, thread;  // for idle time: the call that the host was in; the name of the thread that has no line
  std::string rule;          // for calls: the rule of the finding at the line
  double a_ns = 0, b_ns = 0;
  double a_count = 0, b_count = 0;  // number of calls or launches; 0 for idle time
  double a_bytes = 0, b_bytes = 0;  // copied
  bool in_a = false, in_b = false;
  double change_ns() const { return b_ns - a_ns; }
  Fate fate() const;
};

struct DeviceChange {
  uint32_t device = 0;
  std::vector<Figure> figures;
  std::vector<LineChange> lines;  // idle time; by the size of the change, greatest first
};

struct Comparison {
  RunFigures a, b;
  bool by_step = false;  // figures are per step, otherwise per second
  double length_ns = 0;  // length of the longer step, or a second: changes are judged relative to it
  Spread a_steps, b_steps;
  MedianRatio step;  // known if both recordings have steps with times
  std::vector<Figure> figures;
  std::vector<DeviceChange> devices;  // devices that both recordings have
  std::vector<LineChange> calls;      // waits, copies, allocations, launches; by the size of the change
  std::vector<std::string> notes;
};

// `totals_only`: without the line by line comparison.
Comparison compare(RunFigures a, RunFigures b, bool totals_only);

}  // namespace syncsniff::compare
