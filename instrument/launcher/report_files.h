// Writes reports to the files that the user named. An earlier report is replaced; a source file, a trace, and what the
// measured program has written meanwhile are not.
#pragma once

#include <sys/types.h>

#include <ctime>
#include <iosfwd>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "instrument/report/formats.h"
#include "rules/report_target.h"

namespace syncsniff::launcher {

class ReportFiles {
 public:
  // To be made when the command begins. Throws LaunchError if a report cannot go to its file. `trace`: where this run
  // will write its trace.
  explicit ReportFiles(const std::vector<ReportTarget>& targets, const std::string& trace = "");

  // Writes the file completely or not at all. Throws LaunchError, also if it is no longer the file of the beginning.
  void write(const std::string& file, const std::string& text) const;

 private:
  struct State {
    bool exists = false;
    dev_t device = 0;
    ino_t inode = 0;
    off_t bytes = 0;
    long long changed_ns = 0;
    bool operator==(const State&) const = default;
  };
  static State state_of(const std::string& file);

  std::map<std::string, State> first_;  // when the command began
};

struct WrittenReport {
  const ReportTarget* target;
  std::string text;
};
// Writes each report to its file or to `stream`. If some cannot be written, writes the others and throws LaunchError
// for the first.
void put_reports(const std::vector<WrittenReport>& reports, const ReportFiles& files, std::ostream& stream);

// `colour`: for reports written to `stream`.
template <class Data>
void write_reports(const std::vector<ReportTarget>& targets, const ReportFiles& files,
                   const std::vector<report::Format<Data>>& formats, const Data& data, bool colour,
                   std::ostream& stream) {
  std::vector<WrittenReport> reports;
  for (const ReportTarget& target : targets) {
    std::ostringstream text;
    for (const report::Format<Data>& format : formats)
      if (target.format == format.name) format.write(data, colour && target.file.empty(), text);
    reports.push_back({&target, text.str()});
  }
  put_reports(reports, files, stream);
}

}  // namespace syncsniff::launcher
