// Which report of `check` goes where: `--format=FORMAT[:FILE]`, as often as wanted, and `-o FILE`.
#pragma once

#include <string>
#include <vector>

#include "rules/report_target.h"

namespace syncsniff::output {

// What is wrong with FORMAT[:FILE]; empty: nothing.
std::string why_no_report(const std::string& word);

// `output`: the file of the format that names none. Errors: std::invalid_argument with one line, where two reports
// would end in one file or on standard output.
std::vector<ReportTarget> targets_of(const std::vector<std::string>& words, const std::string& output);

}  // namespace syncsniff::output
