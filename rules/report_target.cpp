#include "rules/report_target.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "rules/nearest_name.h"
#include "rules/source_names.h"

namespace syncsniff {
namespace fs = std::filesystem;
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// The canonical path of a file that may not exist yet.
fs::path real_place(const std::string& file) {
  std::error_code error;
  const fs::path place = fs::weakly_canonical(fs::absolute(file, error), error);
  return error ? fs::path(file) : place;
}

}  // namespace

ReportTarget report_target(const std::string& word) {
  const size_t colon = word.find(':');
  return {word.substr(0, colon), colon == std::string::npos ? "" : word.substr(colon + 1)};
}

std::string why_no_target(const std::string& word, const std::vector<std::string>& formats) {
  const std::string format = report_target(word).format;
  if (!contains(formats, format)) {
    if (const std::string first = word.substr(0, word.find(',')); contains(formats, first))
      return "takes one format, not '" + word + "'; repeat the option, as in --format=" + first +
             " --format=FORMAT:FILE";
    const std::string near = nearest_name(format, formats);
    return "no format '" + format + "'; " +
           (near.empty() ? "there are " + joined(formats) : "did you mean '" + near + "'?");
  }
  return word.ends_with(':') ? word + " names no file; give " + format + ":FILE" : "";
}

bool give_file(std::vector<ReportTarget>& targets, const std::string& file) {
  const auto open =
      std::find_if(targets.begin(), targets.end(), [](const ReportTarget& target) { return target.file.empty(); });
  if (open == targets.end()) return false;
  open->file = file;
  return true;
}

std::string why_not_apart(const std::vector<ReportTarget>& targets, const std::string& stream) {
  for (auto a = targets.begin(); a != targets.end(); ++a)
    for (auto b = std::next(a); b != targets.end(); ++b) {
      const std::string conflict = a->format + " and " + b->format + " would both go to ";
      if (a->file.empty() && b->file.empty())
        return conflict + stream + "; give one of them a file, as in --format=" + b->format + ":FILE";
      if (!a->file.empty() && !b->file.empty() && real_place(a->file) == real_place(b->file))
        return conflict + b->file + "; give each a file of its own";
    }
  return {};
}

std::string why_not_replaced(const std::string& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error) || fs::file_size(file, error) == 0) return {};
  const std::string extension = fs::path(file).extension().string();
  const bool trace = extension == ".sstrace", source = is_source_name(file) || extension == ".py";
  if (!trace && !source) return {};
  return file + ": is a " + (trace ? "trace" : "source file") +
         ", which no report replaces; give the report another file";
}

}  // namespace syncsniff
