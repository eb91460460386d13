// syncsniff-instrument: run, report, diff, scale, dump, undump. The driver starts it; it can be started by hand too.
#include <iostream>
#include <iterator>
#include <optional>

#include "instrument/launcher/diff.h"
#include "instrument/launcher/doctor.h"
#include "instrument/launcher/options.h"
#include "instrument/launcher/output_file.h"
#include "instrument/launcher/run.h"
#include "instrument/launcher/scale.h"
#include "instrument/reader/mapped_file.h"
#include "instrument/reader/text_twin.h"
#include "instrument/reader/trace.h"
#include "rules/file_limit.h"
#include "rules/regular_file.h"
#include "rules/standard_streams.h"
#include "rules/untrusted_text.h"

namespace syncsniff {
namespace {

constexpr int kCouldNotDoIt = 2;
// A trace is 1 GiB unless the user says otherwise, and its text about as long.
constexpr uint64_t kMaxTwinBytes = uint64_t{16} << 30;

int help(const manual::CommandPage& page) {
  std::cout << manual::help_text(page);
  return 0;
}

// For the build: man pages and completions are made from it.
int dump_options() {
  std::cout << manual::pages_to_json({launcher::run_page(), launcher::report_page(), launcher::diff_page(),
                                      launcher::scale_page(), launcher::dump_page(false), launcher::dump_page(true)});
  return 0;
}

int dump(const launcher::DumpOptions& options) {
  const reader::MappedFile file(options.input);
  std::cout << "# syncsniff dump of " << printable(options.input) << '\n';
  reader::dump_trace(file.data(), file.size(), options.input, std::cout);
  return 0;
}

int undump(const launcher::DumpOptions& options) {
  launcher::check_new_file(options.output, "-o");
  std::string text;
  if (options.input == "-") {
    text.assign(std::istreambuf_iterator<char>(std::cin), {});
  } else {
    std::string problem;
    std::optional<std::string> read = read_regular_file(options.input, problem, kMaxTwinBytes);
    if (!read)
      throw launcher::UsageError(options.input + ": " + problem +
                                 "; give the text that `syncsniff dump` printed, or - to read standard input");
    text = std::move(*read);
  }
  const std::string bytes = reader::undump_trace(text, options.input);
  launcher::write_new_file(options.output, bytes, "-o", 0600);  // a trace is its owner's alone
  return 0;
}

int dispatch(const std::string& command, const std::vector<std::string>& words) {
  if (command == "--version") {
    std::cout << "syncsniff " << SYNCSNIFF_VERSION << '\n';
    return 0;
  }
  if (command == "--dump-options") return dump_options();
  if (command == "run") {
    const auto options = launcher::parse_run(words);
    return options.help ? help(launcher::run_page()) : launcher::run(options);
  }
  if (command == "report") {
    const auto options = launcher::parse_report(words);
    return options.help ? help(launcher::report_page()) : launcher::report(options);
  }
  if (command == "diff") {
    const auto options = launcher::parse_diff(words);
    return options.help ? help(launcher::diff_page()) : launcher::diff(options);
  }
  if (command == "scale") {
    const auto options = launcher::parse_scale(words);
    return options.help ? help(launcher::scale_page()) : launcher::scale(options);
  }
  if (command == "dump" || command == "undump") {
    const auto options = launcher::parse_dump(words, command == "undump");
    if (options.help) return help(launcher::dump_page(command == "undump"));
    return command == "dump" ? dump(options) : undump(options);
  }
  if (command == "doctor") {  // for the driver, which asks for both halves and prints
    std::cout << diagnoses_json(launcher::diagnose_run()) << '\n';
    return 0;
  }
  throw launcher::UsageError((command.empty() ? "no command" : command + ": no such command") +
                             std::string("; use run, report, diff, scale, dump or undump"));
}

// What was printed has arrived, or the command has not done its job.
int printed(int status) {
  if (const std::string problem = flush_output(); !problem.empty()) throw launcher::UsageError(problem);
  return status;
}

}  // namespace
}  // namespace syncsniff

int main(int argc, char** argv) {
  syncsniff::survive_file_limit();
  syncsniff::fill_standard_streams();
  try {
    return syncsniff::printed(
        syncsniff::dispatch(argc > 1 ? argv[1] : "", std::vector<std::string>(argv + std::min(argc, 2), argv + argc)));
  } catch (const std::exception& error) {
    std::cerr << "syncsniff: error: " << syncsniff::printable(error.what()) << '\n';
    return syncsniff::kCouldNotDoIt;
  }
}
