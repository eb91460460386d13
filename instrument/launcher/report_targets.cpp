#include "instrument/launcher/report_targets.h"

#include <string_view>

#include "instrument/launcher/preflight.h"

namespace syncsniff::launcher {
namespace {

std::vector<std::string> names_of(const std::vector<FormatWord>& formats) {
  std::vector<std::string> names;
  for (const FormatWord& format : formats) names.push_back(format.name);
  return names;
}

// Replaces `terminal`, the original name of the format `text`.
std::string current_format_name(const std::string& word) {
  constexpr std::string_view kFirst = "terminal";
  const bool old = word == kFirst || word.starts_with(std::string(kFirst) + ":");
  return old ? "text" + word.substr(kFirst.size()) : word;
}

ReportTarget parse_target(const std::string& word, const std::vector<FormatWord>& formats) {
  const std::string todays_word = current_format_name(word);
  if (const std::string why = why_no_target(todays_word, names_of(formats)); !why.empty())
    throw UsageError("--format: " + why);
  return report_target(todays_word);
}

}  // namespace

void add_format(OptionTable& table, std::vector<ReportTarget>& targets, const std::vector<FormatWord>& formats,
                const std::string& of, const std::string& stream) {
  std::string help = "format of the " + of + ", and a file for it instead of " + stream + "; repeatable. FORMAT is ";
  for (const FormatWord& format : formats)
    help += (&format == &formats.front() ? "" : "; ") + format.name + ", " + format.help;
  table.value(
      {"--format"}, "FORMAT[:FILE]", help,
      [&targets, formats](const std::string& word) { targets.push_back(parse_target(word, formats)); },
      names_of(formats));
}

void add_report_file(OptionTable& table, std::vector<ReportTarget>& targets) {
  table.value({"--report-file"}, "FILE", "the file of the format that names none, instead of standard error",
              [&targets](const std::string& file) { targets.push_back({"", file}); });
}

void settle(std::vector<ReportTarget>& targets, const std::vector<FormatWord>& formats, const std::string& stream) {
  std::string report_file;
  std::erase_if(targets, [&](const ReportTarget& target) {
    if (target.format.empty()) report_file = target.file;
    return target.format.empty();
  });
  if (targets.empty()) targets.push_back({formats.front().name, ""});
  if (!report_file.empty() && !give_file(targets, report_file))
    throw UsageError("--report-file=" + report_file + ": every format names a file of its own");
  if (const std::string conflict = why_not_apart(targets, stream); !conflict.empty())
    throw UsageError("--format: " + conflict);
}

}  // namespace syncsniff::launcher
