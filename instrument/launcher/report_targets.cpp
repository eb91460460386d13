#include "instrument/launcher/report_targets.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <ostream>

#include "instrument/launcher/output_file.h"
#include "instrument/launcher/preflight.h"
#include "rules/nearest_name.h"

namespace syncsniff::launcher {
namespace {

std::vector<std::string> names_of(const std::vector<FormatWord>& formats) {
  std::vector<std::string> names;
  for (const FormatWord& format : formats) names.push_back(format.name);
  return names;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " or ") + name;
  return text;
}

ReportTarget parse_target(const std::string& word, const std::vector<FormatWord>& formats) {
  const size_t colon = word.find(':');
  ReportTarget target{word.substr(0, colon), colon == std::string::npos ? "" : word.substr(colon + 1)};
  if (target.format == "terminal") target.format = "text";  // its name at first
  const std::vector<std::string> names = names_of(formats);
  if (std::find(names.begin(), names.end(), target.format) == names.end()) {
    const std::string near = nearest_name(target.format, names);
    throw UsageError("--format=" + word + ": no such format; " +
                     (near.empty() ? "use " + joined(names) : "did you mean '" + near + "'?"));
  }
  if (word.back() == ':') throw UsageError("--format=" + word + ": names no file; give " + target.format + ":FILE");
  return target;
}

std::string absolute(const std::string& file) { return std::filesystem::absolute(file).lexically_normal().string(); }

}  // namespace

void add_format(OptionTable& table, std::vector<ReportTarget>& targets, const std::vector<FormatWord>& formats,
                const std::string& of, const std::string& stream) {
  std::string help =
      "format of the " + of + ", and a new file for it instead of " + stream + "; repeatable. FORMAT is ";
  for (const FormatWord& format : formats)
    help += (&format == &formats.front() ? "" : "; ") + format.name + ", " + format.help;
  table.value(
      {"--format"}, "FORMAT[:FILE]", help,
      [&targets, formats](const std::string& word) { targets.push_back(parse_target(word, formats)); },
      names_of(formats));
}

void add_report_file(OptionTable& table, std::vector<ReportTarget>& targets) {
  table.value({"--report-file"}, "FILE", "the new file of the format that names none, instead of standard error",
              [&targets](const std::string& file) { targets.push_back({"", file}); });
}

void settle(std::vector<ReportTarget>& targets, const std::vector<FormatWord>& formats, const std::string& stream) {
  std::string report_file;
  std::erase_if(targets, [&](const ReportTarget& target) {
    if (target.format.empty()) report_file = target.file;
    return target.format.empty();
  });
  if (targets.empty()) targets.push_back({formats.front().name, ""});
  if (!report_file.empty()) {
    const auto open =
        std::find_if(targets.begin(), targets.end(), [](const ReportTarget& target) { return target.file.empty(); });
    if (open == targets.end())
      throw UsageError("--report-file=" + report_file + ": every format names a file of its own");
    open->file = report_file;
  }
  for (auto a = targets.begin(); a != targets.end(); ++a)
    for (auto b = std::next(a); b != targets.end(); ++b) {
      const std::string conflict = "--format: " + a->format + " and " + b->format + " would both go to ";
      if (a->file.empty() && b->file.empty())
        throw UsageError(conflict + stream + "; give one of them a file, as in --format=" + b->format + ":FILE");
      if (!a->file.empty() && !b->file.empty() && absolute(a->file) == absolute(b->file))
        throw UsageError(conflict + b->file + "; give each a file of its own");
    }
}

void check_new_files(const std::vector<ReportTarget>& targets, const std::string& trace) {
  for (const ReportTarget& target : targets) {
    if (target.file.empty()) continue;
    if (!trace.empty() && absolute(target.file) == absolute(trace))
      throw LaunchError(target.file + ": named for the trace and for the report; give the report another file");
    check_new_file(target.file, "report file");
  }
}

void put_reports(const std::vector<WrittenReport>& reports, std::ostream& stream) {
  std::optional<LaunchError> first;
  for (const WrittenReport& report : reports) {
    if (report.target->file.empty()) {
      stream << report.text;
      continue;
    }
    try {
      write_new_file(report.target->file, report.text, "report file");
    } catch (const LaunchError& error) {
      if (!first) first = error;
    }
  }
  if (first) throw *first;
}

}  // namespace syncsniff::launcher
