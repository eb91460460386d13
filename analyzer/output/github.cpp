#include "analyzer/output/github.h"

#include "analyzer/output/hot_calls.h"
#include "rules/untrusted_text.h"

namespace syncsniff::output {
namespace {

// Escapes as in actions/toolkit's command.ts; property values need two more escapes than messages. Other characters
// that could act on a reader of the log are made visible first.
std::string escape(const std::string& text, bool property) {
  std::string result;
  for (char c : printable_lines(text)) {
    if (c == '%')
      result += "%25";
    else if (c == '\n')
      result += "%0A";
    else if (property && c == ':')
      result += "%3A";
    else if (property && c == ',')
      result += "%2C";
    else
      result += c;
  }
  return result;
}

std::string position(const Location& location) {
  std::string text = "file=" + escape(location.file, true);
  if (location.line == 0) return text;
  text += ",line=" + std::to_string(location.line);
  if (location.end_line > location.line) text += ",endLine=" + std::to_string(location.end_line);
  if (location.column > 0) text += ",col=" + std::to_string(location.column);
  // GitHub shows an end column only within one line.
  if (location.end_line == location.line && location.end_column > location.column)
    text += ",endColumn=" + std::to_string(location.end_column);
  return text;
}

std::string command(const Finding& finding) {
  std::string message = finding.message + and_by_more_calls(finding.calls_left_out);
  for (const PathStep& step : finding.path)
    message += "\n" + printable(step.location.file) + ":" + std::to_string(step.location.line) + ": " + step.message;
  if (!finding.fix.description.empty()) message += "\nfix: " + finding.fix.description;
  const char* kind = finding.severity >= Severity::kMedium ? "::warning " : "::notice ";
  std::string title = "syncsniff " + finding.rule + " (" + to_string(finding.severity) + ")";
  return kind + position(finding.location) + ",title=" + escape(title, true) + "::" + escape(message, false) + "\n";
}

}  // namespace

std::string write_github(const FindingsDocument& document, const Baseline& baseline) {
  std::string result;
  // GitHub shows at most ten annotations of a kind per step, so there is one per place.
  for (const Finding& finding : counted_places(document, baseline)) result += command(finding);
  for (const UnitStatus& unit : document.units) {
    if (unit.status == "analysed") continue;
    bool partial = unit.status == "partial";
    result += std::string(partial ? "::warning" : "::error") + " file=" + escape(unit.file, true) +
              ",title=syncsniff::" + escape((partial ? "only partly analysed: " : "not analysed: ") + unit.why, false) +
              "\n";
  }
  return result;
}

}  // namespace syncsniff::output
