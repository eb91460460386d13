// Where each report of `check` goes: `--format=FORMAT[:FILE]`, which may be repeated, and `-o FILE`.
#pragma once

#include <string>
#include <vector>

#include "rules/report_target.h"

namespace syncsniff::output {

// What is wrong with FORMAT[:FILE]; empty: nothing.
std::string why_no_report(const std::string& word);

// `output`: the file for the format that names none. Throws std::invalid_argument with a message of one line if two
// reports would go to one file or to standard output.
std::vector<ReportTarget> targets_of(const std::vector<std::string>& words, const std::string& output);

}  // namespace syncsniff::output
