// Limits for a run, for use in CI: `idle_pct>30` fails a run whose GPU idles for more than 30 % of a step.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "instrument/report/report.h"

namespace syncsniff::report {

// Thrown if a gate cannot be parsed. what(): one line that names it and the allowed forms.
class GateError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Parses "idle_pct>30", "busy_pct<60", "sync_ms_per_step>1". A limit with a sign applies to the change between two
// recordings (B minus A): "idle_pct>+5" (it rose by more than 5 points), "busy_pct<-5" (it fell by more than 5 points),
// "step_ms>+2%" (it grew by more than 2 % of what it was).
Gate parse_gate(const std::string& text);

// Every figure that a gate can limit, by name. nullopt: this run does not contain the figure. Percentages refer to a
// step's time or, if no steps are known, to that of the windows.
using Figures = std::map<std::string, std::optional<double>>;
Figures figures_of(const RunReport& report);

// True if the value is beyond the gate's limit.
bool fails(const Gate& gate, double value);
// "--fail-on=idle_pct>30: idle_pct is 41.2"
std::string failure_line(const Gate& gate, double value);
std::string unknown_line(const Gate& gate, const std::string& run);  // run: "this run"

// One line for each gate that fails or whose figure is not known: an unknown figure does not pass.
std::vector<std::string> failed_gates(const RunReport& report, const std::vector<Gate>& gates);

}  // namespace syncsniff::report
