// Which report goes where: `--format=FORMAT[:FILE]`, as often as wanted, and `--report-file FILE`.
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

// Adds --report-file, of the commands that report to standard error.
void add_report_file(OptionTable& table, std::vector<ReportTarget>& targets);

// After all options: the file of --report-file is the one of the format that names none, and without any --format the
// first one is written. Throws UsageError where two reports would end in one file or on one stream.
void settle(std::vector<ReportTarget>& targets, const std::vector<FormatWord>& formats, const std::string& stream);

// Throws LaunchError where a file exists, cannot be made, or is `trace`.
void check_new_files(const std::vector<ReportTarget>& targets, const std::string& trace = "");

struct WrittenReport {
  const ReportTarget* target;
  std::string text;
};
// Puts each where it belongs. Throws LaunchError for the first that is not there; the others are.
void put_reports(const std::vector<WrittenReport>& reports, std::ostream& stream);

// `colour`: of what goes to the stream.
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
