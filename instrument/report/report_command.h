// The `syncsniff report` command that a message tells the user to run.
#pragma once

#include <string>
#include <vector>

#include "instrument/report/report.h"

namespace syncsniff::report {

// As a POSIX shell reads it back: plain words unchanged, others in single quotes.
std::string shell_word(const std::string& word);

// "`syncsniff report ...`", with the options that make it the same report: the findings joined, what a step is, whose
// code is whose.
std::string report_command(const std::vector<std::string>& traces, const std::vector<std::string>& findings,
                           const Reading& reading);

}  // namespace syncsniff::report
