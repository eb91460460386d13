// The parts of the terminal report: each writes its own lines and none exceeds kReportWidth.
#pragma once

#include <ostream>

#include "instrument/report/report.h"
#include "instrument/report/terminal_table.h"
#include "instrument/timeline/step_share.h"

namespace syncsniff::report {

// What ran, its steps, what a step costs, and what came before the first one.
void write_header(const RunReport& report, const Style& style, std::ostream& out);

// "train.py:12 step  cudaMemcpy  (thread loader)"; of code between two calls "train.py:12 to train.py:20". A thread
// that no line is known of is named alone.
std::string where_text(const reader::Place& place, const reader::Place& before, const std::string& call,
                       const std::string& thread);

// What the host did: "launching"; of code, also what it waited for: "waits: a lock".
const char* doing_text(const timeline::HostLine& line);

// One device: how busy it is, what let it run dry, and what the host did meanwhile, line by line.
void write_gpu(const timeline::DeviceTimeline& device, const RunReport& report, const Style& style, std::ostream& out);

// Lines whose copies bring what was brought before; nothing where none is worth it.
void write_sent_again(const timeline::SentAgain& all, const Style& style, std::ostream& out);

// In a sentence: the regime, and what the matrix products whose shapes are known reach.
std::string regime_text(const timeline::DeviceTimeline& device, const timeline::StepShare& share);

}  // namespace syncsniff::report
