// Recordings of one program at several values of a variable, and the conclusions from them.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "instrument/compare/run_figures.h"
#include "instrument/report/formats.h"
#include "instrument/scale/regime.h"
#include "instrument/scale/sweep.h"

namespace syncsniff::scale {

struct Measured {
  SweepValue value;
  compare::RunFigures run;
};

struct Scaling {
  std::string name;  // name of the variable
  std::vector<std::string> command;
  std::vector<Measured> runs;  // ascending by value
  Curve curve;
  std::vector<std::string> notes;
};

// Needs at least two runs.
Scaling scaling_of(const std::string& name, const std::vector<std::string>& command, std::vector<Measured> runs);

// The device with the most idle time; nullptr: the GPU's work was not recorded.
const compare::DeviceFigures* most_idle_device(const compare::RunFigures& run);

// The conclusions as sentences, one a line: at which value the regime changes, and what to do below and above it.
std::vector<std::string> sentences_of(const Scaling& scaling);

// Lines of at most report::kReportWidth columns.
void write_terminal(const Scaling& scaling, bool colour, std::ostream& out);
void write_json(const Scaling& scaling, std::ostream& out);
const std::vector<report::Format<Scaling>>& scaling_formats();

}  // namespace syncsniff::scale
