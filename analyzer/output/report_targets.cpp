#include "analyzer/output/report_targets.h"

#include <stdexcept>

#include "analyzer/output/formats.h"

namespace syncsniff::output {

std::string why_no_report(const std::string& word) {
  std::vector<std::string> names;
  for (const ReportFormat& format : report_formats()) names.emplace_back(format.name);
  return why_no_target(word, names);
}

std::vector<ReportTarget> targets_of(const std::vector<std::string>& words, const std::string& output) {
  std::vector<ReportTarget> targets;
  targets.reserve(words.size());
  for (const std::string& word : words) targets.push_back(report_target(word));
  if (!output.empty() && !give_file(targets, output))
    throw std::invalid_argument("-o " + output + ": every format names a file of its own");
  if (const std::string conflict = why_not_apart(targets, "standard output"); !conflict.empty())
    throw std::invalid_argument(conflict);
  for (const ReportTarget& target : targets)
    if (const std::string reason = why_not_replaced(target.file); !reason.empty()) throw std::invalid_argument(reason);
  return targets;
}

}  // namespace syncsniff::output
