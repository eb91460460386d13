// Where a report goes: the FORMAT[:FILE] of `--format`, which check, run, report, diff and scale share.
#pragma once

#include <string>
#include <vector>

namespace syncsniff {

struct ReportTarget {
  std::string format;  // empty: of a file that goes to the format that names none (give_file)
  std::string file;    // empty: the stream that the command reports to
};

// The parts of FORMAT[:FILE].
ReportTarget report_target(const std::string& word);

// What is wrong with FORMAT[:FILE], where these formats are known; empty: nothing.
std::string why_no_target(const std::string& word, const std::vector<std::string>& formats);

// The format that names no file gets this one. False: each has its own.
bool give_file(std::vector<ReportTarget>& targets, const std::string& file);

// Which two reports would end in one file or on `stream`, and what to write instead; empty: none.
std::string why_not_apart(const std::vector<ReportTarget>& targets, const std::string& stream);

}  // namespace syncsniff
