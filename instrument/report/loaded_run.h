// One trace file, read and analysed. The report points into the trace and its places, so the three are kept together.
#pragma once

#include <memory>
#include <string>

#include "instrument/report/report.h"

namespace syncsniff::report {

struct LoadedRun {
  reader::Trace trace;
  reader::Places places;
  RunReport report;
};

// Throws reader::TraceError, and StepChoiceError if the chosen step matches nothing. `embed_symbols`: also write the
// symbols into the trace.
std::unique_ptr<LoadedRun> load_run(const std::string& path, const StaticSide& side, const Reading& reading = {},
                                    bool embed_symbols = false);

}  // namespace syncsniff::report
