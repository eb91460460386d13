// A whole report: from a trace file and findings to text or JSON. Here all parts come together.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "instrument/reader/places.h"
#include "instrument/report/findings.h"
#include "instrument/report/verdicts.h"

namespace syncsniff::report {

inline constexpr int kReportWidth = 100;  // the terminal report never exceeds this many columns

// What the user specifies about a trace: what a step is, and which code is the user's.
struct Reading {
  timeline::StepChoice step;
  reader::CodeBorder border;
};

struct RunReport {
  const reader::Trace* trace = nullptr;
  timeline::Analysis analysis;
  Verdicts verdicts;
  std::vector<reader::CodePattern> code_patterns;  // the patterns of --user-code and --library-code
  std::vector<std::string> notes;                  // what could not be recorded or analysed, most important first
};

RunReport make_report(const reader::Trace& trace, const reader::Places& places,
                      const std::vector<std::string>& symbol_hints, const StaticSide& side,
                      const timeline::StepChoice& choice = {});

void write_terminal(const RunReport& report, bool colour, std::ostream& out);
struct Rank;
// `ranks`: all processes of the job, if there are several.
void write_json(const RunReport& report, const std::vector<Rank>& ranks, std::ostream& out);

// See gates.h.
struct Gate {
  std::string text;    // as given on the command line
  std::string figure;  // one of those that gates.cpp lists
  bool above = true;   // true: fails above the limit; false: below it
  double limit = 0;
  bool of_change = false;  // the limit has a sign: it applies to the change between two runs
  bool percent = false;    // of_change with %: the limit is a percentage of the first run's figure
};

// Writes the symbols of the user's objects into each trace, so that it can be reported on another machine. Unreadable
// traces are not changed.
void embed_symbols(const std::vector<std::string>& traces, const reader::CodeBorder& border);

}  // namespace syncsniff::report
