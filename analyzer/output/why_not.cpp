#include "analyzer/output/why_not.h"

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <set>
#include <stdexcept>

#include "analyzer/output/text.h"
#include "rules/untrusted_text.h"

namespace syncsniff::output {
namespace {

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  return a == b || std::filesystem::equivalent(a, b, error);
}

bool on_line(const Finding& finding, const Location& requested_line) {
  const auto covers = [&](const Location& l) {
    return l.line != 0 && l.line <= requested_line.line && requested_line.line <= std::max(l.line, l.end_line) &&
           same_file(l.file, requested_line.file);
  };
  return covers(finding.location) || covers(finding.wait);
}

std::string note(const PathStep& step) { return place(step.location) + ": note: " + printable(step.message) + "\n"; }

}  // namespace

int run_why_not(const Options& options, const Analyse& analyse, std::ostream& out, std::ostream& err) {
  const Location& requested_line = options.analysis.why_not;
  std::error_code error;
  if (!std::filesystem::exists(requested_line.file, error))
    throw std::runtime_error(requested_line.file +
                             ": no such file; give FILE:LINE with a path relative to the working directory");
  if (std::filesystem::is_directory(requested_line.file, error))
    throw std::runtime_error(requested_line.file + ": a folder has no lines; give FILE:LINE");
  SourceCache sources;
  if (const SourceText* text = sources.get(requested_line.file); text && requested_line.line > text->line_count())
    throw std::runtime_error(requested_line.file + ":" + std::to_string(requested_line.line) + ": the file has only " +
                             std::to_string(text->line_count()) + " lines");
  const Outcome outcome = run_analysis(options, analyse, sources, err);
  // A line has one finding per hot call; texts that are the same are printed once.
  std::set<std::string> printed;
  const auto print_once = [&](const std::string& words) {
    if (printed.insert(words).second) out << words;
  };
  for (const Finding& finding : outcome.document.findings) {
    if (!on_line(finding, requested_line)) continue;
    std::string words = headline(finding, false);
    for (const PathStep& step : finding.evidence) words += note(step);
    print_once(words);
  }
  for (const PathStep& answer : outcome.document.answers) print_once(note(answer));
  if (printed.empty()) {
    out << printable(requested_line.file) << ":" << requested_line.line
        << ": no call on this line is known to wait for the GPU, copy, allocate or launch; if one does, it is a "
           "call that the tables in rules/apis lack, or in code that was not read\n";
  }
  out << std::flush;
  return outcome.document.units.empty() ? 2 : 0;
}

}  // namespace syncsniff::output
