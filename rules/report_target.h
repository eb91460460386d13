// Where a report goes: the FORMAT[:FILE] of `--format`, shared by check, run, report, diff and scale.
#pragma once

#include <string>
#include <vector>

namespace syncsniff {

struct ReportTarget {
  std::string format;  // empty: only a file was given, which is for the format that names none (give_file)
  std::string file;    // empty: the command's output stream
};

// Splits FORMAT[:FILE].
ReportTarget report_target(const std::string& word);

// What is wrong with FORMAT[:FILE], given the known formats; empty: nothing.
std::string why_no_target(const std::string& word, const std::vector<std::string>& formats);

// Gives this file to the first format that has none. Returns false if each format has its own.
bool give_file(std::vector<ReportTarget>& targets, const std::string& file);

// Which two reports would go to one file or to `stream`, and what to write instead; empty: none.
std::string why_not_apart(const std::vector<ReportTarget>& targets, const std::string& stream);

// A report replaces an earlier one, but never a source file or a trace: `-o train.cu` is a slip. The reason not to
// write to `file`, and what to do; empty: it may be written.
std::string why_not_replaced(const std::string& file);

}  // namespace syncsniff
