// The figures of one recording that can be compared with another's. They are plain numbers, so that the traces need not
// stay loaded.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "instrument/compare/line_match.h"
#include "instrument/report/gates.h"
#include "instrument/report/report.h"

namespace syncsniff::compare {

inline constexpr double kSecondNs = 1e9;

// A line, with the count and time of its calls.
struct CallLine {
  LineId line;
  std::string rule;                          // rule of the finding at this line; empty: none
  bool launching = false;                    // `time_ns` is host time spent in launching; otherwise in blocking calls
  double count = 0, time_ns = 0, bytes = 0;  // bytes: copied
};

// Idle time of a device while the host did one thing at one line, as a share of a step (without steps: of the windows).
struct IdleLine {
  LineId line;
  std::string doing;   // "host code", "asleep"
  std::string thread;  // the thread's name, if it has no line of its own
  std::string call;    // the call that the host was in; empty: none
  double share = 0;
};

struct DeviceFigures {
  uint32_t device = 0;
  bool of_steps = false;  // shares refer to a step of step_ns; otherwise to the windows
  double step_ns = 0;
  double busy = 0, idle = 0;  // 0 to 1; the causes add up to idle less what is in no window, and so do the lines
  // Why it was idle, and what the host did meanwhile (host_parts.h), greatest first.
  std::vector<std::pair<std::string, double>> causes, host;
  std::vector<IdleLine> lines;
};

// Calls per step, or per second.
struct CallFigures {
  double blocked_ns = 0, launches = 0, copied_bytes = 0;
  std::vector<CallLine> lines;
};

struct StepFigures {
  size_t seen = 0, measured = 0;  // measured: steps that averages refer to; 0: no steps were found
  double median_ns = 0;
  std::string how, confidence;
  std::vector<double> times_ns;  // the step times behind the median, in time order; empty: only a mean is known
  bool found() const { return measured != 0; }
};

struct Recording {
  std::string path;
  double median_ns = 0;
  std::vector<double> times_ns;
};

struct RunFigures {
  std::string path;
  std::vector<std::string> command;
  std::optional<uint32_t> rank;
  double run_ns = 0;
  StepFigures steps;
  CallFigures of_step, of_second;  // of_step is filled in only if steps were found
  std::vector<DeviceFigures> devices;
  report::Figures gates;  // every figure that --fail-on knows
  std::vector<reader::CodePattern> code_patterns;
  bool ended_early = false;
  uint64_t dropped_records = 0;
  std::vector<Recording> recordings;  // all recordings of this version, this one included; see together()
};

RunFigures figures_of_run(const report::RunReport& report);

// Combines several recordings of one version: returns the figures and lines of the recording with the middle step time,
// and the median of all step times. Recordings without steps are left out if others have steps. Needs at least one.
RunFigures together(std::vector<RunFigures> runs);

}  // namespace syncsniff::compare
