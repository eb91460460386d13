// The parts of the terminal report: each writes its own lines, none of which exceeds kReportWidth.
#pragma once

#include <ostream>

#include "instrument/report/report.h"
#include "instrument/report/terminal_table.h"
#include "instrument/timeline/step_share.h"

namespace syncsniff::report {

// The command, its steps, the cost of a step, and the start-up before the first one.
void write_header(const RunReport& report, const Style& style, std::ostream& out);

// The devices: how busy each is, why it ran dry, and what the host did meanwhile, line by line.
void write_gpus(const RunReport& report, const Style& style, std::ostream& out);

// Lines that copy the same bytes to the device repeatedly; prints nothing if no line is worth it.
void write_sent_again(const timeline::SentAgain& all, const Style& style, std::ostream& out);

// One sentence: the regime, and the performance of the matrix products with known shapes.
std::string regime_text(const timeline::DeviceTimeline& device, const timeline::StepShare& share);

}  // namespace syncsniff::report
