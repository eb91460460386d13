// Where each report is written: `--format=FORMAT[:FILE]`, repeatable, and `--report-file FILE`.
#pragma once

#include <string>
#include <vector>

#include "instrument/launcher/option_words.h"
#include "instrument/report/formats.h"

namespace syncsniff::launcher {

struct FormatWord {
  std::string name, help;
};

template <class Data>
std::vector<FormatWord> words_of(const std::vector<report::Format<Data>>& formats) {
  std::vector<FormatWord> words;
  for (const report::Format<Data>& format : formats) words.push_back({format.name, format.help});
  return words;
}

// Adds --format. `of`: what is formatted; `stream`: where it goes without a FILE.
void add_format(OptionTable& table, std::vector<ReportTarget>& targets, const std::vector<FormatWord>& formats,
                const std::string& of, const std::string& stream);

// Adds --report-file, for commands that report to standard error.
void add_report_file(OptionTable& table, std::vector<ReportTarget>& targets);

// To be called after all options: assigns --report-file's file to the format without a file, and adds the first format
// if there is no --format. Throws UsageError if two reports would be written to one file or stream.
void settle(std::vector<ReportTarget>& targets, const std::vector<FormatWord>& formats, const std::string& stream);

}  // namespace syncsniff::launcher
