// Where each report is written: `--format=FORMAT[:FILE]`, repeatable, and `--report-file FILE`.
#pragma once

#include <iosfwd>
#include <sstream>
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

// Throws LaunchError if a file exists, cannot be created, or is `trace`.
void check_new_files(const std::vector<ReportTarget>& targets, const std::string& trace = "");

struct WrittenReport {
  const ReportTarget* target;
  std::string text;
};
// Writes each report to its file or to `stream`. If some cannot be written, writes the others and throws LaunchError
// for the first.
void put_reports(const std::vector<WrittenReport>& reports, std::ostream& stream);

// `colour`: for reports written to `stream`.
template <class Data>
void write_reports(const std::vector<ReportTarget>& targets, const std::vector<report::Format<Data>>& formats,
                   const Data& data, bool colour, std::ostream& stream) {
  std::vector<WrittenReport> reports;
  for (const ReportTarget& target : targets) {
    std::ostringstream text;
    for (const report::Format<Data>& format : formats)
      if (target.format == format.name) format.write(data, colour && target.file.empty(), text);
    reports.push_back({&target, text.str()});
  }
  put_reports(reports, stream);
}

}  // namespace syncsniff::launcher
