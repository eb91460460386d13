#include "instrument/launcher/report_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <optional>
#include <ostream>

#include "instrument/launcher/output_file.h"
#include "instrument/launcher/preflight.h"
#include "rules/regular_file.h"
#include "rules/write_file.h"
#include "runtime/trace/format.h"

namespace syncsniff::launcher {
namespace {

constexpr const char* kRemedy = "; give another report file";

std::string absolute(const std::string& file) { return std::filesystem::absolute(file).lexically_normal().string(); }

bool is_trace(const std::string& file) {
  std::string problem;
  const auto beginning = read_beginning(file, problem, sizeof(trace::kMagic));
  return beginning && *beginning == std::string(trace::kMagic, sizeof(trace::kMagic));
}

void check_replaced(const std::string& file) {
  if (const std::string problem = why_not_regular(file); !problem.empty())
    throw LaunchError(file + ": " + problem + kRemedy);
  if (const std::string reason = why_not_replaced(file); !reason.empty()) throw LaunchError(reason);
  if (is_trace(file)) throw LaunchError(file + ": is a trace, which no report replaces" + kRemedy);
  if (access(file.c_str(), W_OK) != 0)
    throw LaunchError(file + ": cannot be written: " + std::strerror(errno) + kRemedy);
}

}  // namespace

ReportFiles::State ReportFiles::state_of(const std::string& file) {
  struct stat info{};
  if (stat(file.c_str(), &info) != 0) return {};
  return {true, info.st_dev, info.st_ino, info.st_size, info.st_mtim.tv_sec * 1000000000LL + info.st_mtim.tv_nsec};
}

ReportFiles::ReportFiles(const std::vector<ReportTarget>& targets, const std::string& trace) {
  for (const ReportTarget& target : targets) {
    const std::string& file = target.file;
    if (file.empty()) continue;
    if (!trace.empty() && absolute(file) == absolute(trace))
      throw LaunchError(file + ": named for the trace and for the report; give the report another file");
    first_[file] = state_of(file);
    if (is_stream(file)) continue;
    if (first_[file].exists)
      check_replaced(file);
    else
      check_new_file(file, "report file");
  }
}

void ReportFiles::write(const std::string& file, const std::string& text) const {
  if (is_stream(file)) return write_new_file(file, text, "report file");
  const auto first = first_.find(file);
  if (first != first_.end() && state_of(file) != first->second)
    throw LaunchError(file + ": was written while the command ran, and is not replaced" + kRemedy);
  try {
    write_file_atomically(file, text);
  } catch (const std::exception& error) {
    throw LaunchError(error.what());
  }
}

void put_reports(const std::vector<WrittenReport>& reports, const ReportFiles& files, std::ostream& stream) {
  std::optional<LaunchError> first;
  for (const WrittenReport& report : reports) {
    if (report.target->file.empty()) {
      stream << report.text;
      continue;
    }
    try {
      files.write(report.target->file, report.text);
    } catch (const LaunchError& error) {
      if (!first) first = error;
    }
  }
  if (first) throw *first;
}

}  // namespace syncsniff::launcher
