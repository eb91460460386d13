#include "analyzer/output/report_files.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <stdexcept>
#include <string_view>

#include "analyzer/output/formats.h"
#include "rules/untrusted_text.h"
#include "rules/write_file.h"

namespace syncsniff::output {
namespace {

// Colours are off by https://no-color.org, and for terminals that know no escapes.
bool wants_colour(const Options& options, const ReportTarget& target) {
  if (options.colour != ColourChoice::kAuto) return options.colour == ColourChoice::kAlways;
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  bool refused = (no_colour && *no_colour) || !terminal || std::string_view(terminal) == "dumb";
  return !refused && target.file.empty() && ::isatty(STDOUT_FILENO);
}

}  // namespace

bool reports_on_standard_output(const Options& options) {
  return std::any_of(options.reports.begin(), options.reports.end(),
                     [](const ReportTarget& target) { return target.file.empty(); });
}

bool write_reports(const Options& options, const Outcome& outcome, const Baseline& baseline, SourceCache& sources,
                   std::ostream& out, std::ostream& err) {
  bool all_delivered = true, out_is_taken = reports_on_standard_output(options);
  for (const ReportTarget& target : options.reports) {
    const ReportFormat* format = find_format(target.format);
    if (format == nullptr) throw std::logic_error("no format " + target.format);
    const std::string text = format->write({outcome.document,
                                            outcome.rules,
                                            baseline,
                                            !options.baseline.empty(),
                                            sources,
                                            {wants_colour(options, target), options.show_allowed, options.quiet}});
    if (target.file.empty()) {
      out << text << std::flush;
      continue;
    }
    try {
      write_file_atomically(target.file, text);
    } catch (const std::runtime_error& error) {
      all_delivered = false;
      err << "syncsniff: error: " << printable(error.what())
          << (out_is_taken ? "; this report is not written\n" : "; the report goes to standard output instead\n")
          << std::flush;
      // Making the report took minutes, so it goes to standard output instead, unless another report is printed there;
      // mixed, both would be unreadable.
      if (!out_is_taken) out << text << std::flush;
      out_is_taken = true;
    }
  }
  if (!out) throw std::runtime_error("standard output: cannot write the report; use -o FILE");
  return all_delivered;
}

}  // namespace syncsniff::output
