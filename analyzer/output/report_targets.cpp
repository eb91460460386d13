#include "analyzer/output/report_targets.h"

#include <algorithm>
#include <stdexcept>

#include "analyzer/output/formats.h"
#include "analyzer/output/source_text.h"
#include "rules/nearest_name.h"

namespace syncsniff::output {
namespace {

ReportTarget target_of(const std::string& word) {
  const size_t colon = word.find(':');
  if (colon == std::string::npos) return {word, ""};
  return {word.substr(0, colon), word.substr(colon + 1)};
}

std::vector<std::string> names_of_formats() {
  std::vector<std::string> names;
  for (const ReportFormat& format : report_formats()) names.emplace_back(format.name);
  return names;
}

void require_different_places(const std::vector<ReportTarget>& targets) {
  for (auto a = targets.begin(); a != targets.end(); ++a)
    for (auto b = std::next(a); b != targets.end(); ++b) {
      const std::string conflict = a->format + " and " + b->format + " would both go to ";
      if (a->file.empty() && b->file.empty())
        throw std::invalid_argument(conflict + "standard output; give one of them a file, as in " + b->format +
                                    ":FILE");
      if (!a->file.empty() && !b->file.empty() && real_path(a->file) == real_path(b->file))
        throw std::invalid_argument(conflict + b->file + "; give each a file of its own");
    }
}

}  // namespace

std::string why_no_target(const std::string& word) {
  const ReportTarget target = target_of(word);
  if (find_format(target.format) == nullptr) {
    if (const size_t comma = word.find(','); find_format(word.substr(0, comma)) != nullptr)
      return "takes one format, not '" + word + "'; repeat the option, as in --format=" + word.substr(0, comma) +
             " --format=FORMAT:FILE";
    const std::string near = nearest_name(target.format, names_of_formats());
    return "no format '" + target.format + "'; " +
           (near.empty() ? "there are " + format_names(", ") : "did you mean '" + near + "'?");
  }
  return word.ends_with(':') ? word + " names no file; give " + target.format + ":FILE" : "";
}

std::vector<ReportTarget> targets_of(const std::vector<std::string>& words, const std::string& output) {
  std::vector<ReportTarget> targets;
  targets.reserve(words.size());
  for (const std::string& word : words) targets.push_back(target_of(word));
  if (!output.empty()) {
    const auto open =
        std::find_if(targets.begin(), targets.end(), [](const ReportTarget& target) { return target.file.empty(); });
    if (open == targets.end()) throw std::invalid_argument("-o " + output + ": every format names a file of its own");
    open->file = output;
  }
  require_different_places(targets);
  return targets;
}

}  // namespace syncsniff::output
