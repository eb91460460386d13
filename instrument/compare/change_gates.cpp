#include "instrument/compare/change_gates.h"

#include "instrument/report/units.h"

namespace syncsniff::compare {
namespace {

using report::Gate;

std::optional<double> figure_of(const RunFigures& run, const std::string& name) {
  const auto it = run.gates.find(name);
  return it == run.gates.end() ? std::nullopt : it->second;
}

void check_change(const Comparison& change, const Gate& gate, double a, double b, GateResult& result) {
  if (gate.percent && a == 0) {
    result.failed.push_back("--fail-on=" + gate.text + ": " + gate.figure +
                            " is 0 in A, so a percentage of it has no meaning; give the limit without %");
    return;
  }
  const double value = gate.percent ? 100 * (b - a) / a : b - a;
  if (!report::fails(gate, value)) return;
  const std::string line = "--fail-on=" + gate.text + ": " + gate.figure + " changed by " +
                           report::format_number("%+.3g", value) + (gate.percent ? " %" : "") + ", from " +
                           report::format_number("%.4g", a) + " to " + report::format_number("%.4g", b);
  if (gate.figure == "step_ms" && change.step.known && !change.step.beyond_noise())
    result.notes.push_back(line + ", which is within the noise of the steps: not failed");
  else
    result.failed.push_back(line);
}

}  // namespace

GateResult check_gates(const Comparison& change, const std::vector<Gate>& gates) {
  GateResult result;
  for (const Gate& gate : gates) {
    const auto a = figure_of(change.a, gate.figure), b = figure_of(change.b, gate.figure);
    if (!b || (gate.of_change && !a))
      result.failed.push_back(report::unknown_line(gate, !b ? "B" : "A"));
    else if (gate.of_change)
      check_change(change, gate, *a, *b, result);
    else if (report::fails(gate, *b))
      result.failed.push_back(report::failure_line(gate, *b) + " in B");
  }
  return result;
}

}  // namespace syncsniff::compare
