// syncsniff-analyzer: the program behind `syncsniff check` and `syncsniff fix`.
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <sstream>
#include <string_view>

#include "analyzer/analysis.h"
#include "analyzer/doctor.h"
#include "analyzer/fixes/fix_command.h"
#include "analyzer/fixes/tidy_deletions.h"
#include "analyzer/output/check_command.h"
#include "analyzer/output/configure.h"
#include "analyzer/output/options.h"
#include "rules/config/config.h"
#include "rules/data_error.h"
#include "rules/file_limit.h"
#include "rules/standard_streams.h"
#include "rules/untrusted_text.h"
#include "rules/write_file.h"

namespace {

syncsniff::FindingsDocument analyse_and_tidy(const syncsniff::AnalysisOptions& options) {
  syncsniff::FindingsDocument document = syncsniff::analyse(options);
  syncsniff::output::SourceCache sources("", options.texts);
  syncsniff::fixes::tidy_deletions(document, sources);
  return document;
}

// `doctor CONFIG-FILE` or `doctor --no-config`: prints for the `syncsniff` command, which calls both halves and shows
// the results.
int print_diagnoses(int argc, char** argv) {
  syncsniff::ConfigChoice choice;
  const std::string word = argc > 2 ? argv[2] : "";
  choice.none = word == "--no-config";
  if (!choice.none) choice.file = word;
  std::cout << syncsniff::diagnoses_json(syncsniff::diagnose_check(choice)) << '\n' << std::flush;
  return std::cout ? 0 : 2;
}

// False for a pipe or a log.
bool wants_progress(const syncsniff::output::Options& options) {
  const char* terminal = std::getenv("TERM");
  return !options.quiet && !options.analysis.verbose && isatty(STDERR_FILENO) && terminal &&
         std::string_view(terminal) != "dumb";
}

// Writes to the file of -o, else to standard output. Throws unless everything has been written.
void dump(const std::string& text, const syncsniff::output::Options& options) {
  const std::string& file = options.reports.front().file;
  if (!file.empty()) return syncsniff::write_file_atomically(file, text);
  std::cout << text;
  if (const std::string problem = syncsniff::flush_output(); !problem.empty()) throw std::runtime_error(problem);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace syncsniff;
  survive_file_limit();
  fill_standard_streams();
  try {
    if (argc > 1 && std::string_view(argv[1]) == "doctor") return print_diagnoses(argc, argv);
    output::ParsedOptions parsed = output::parse_options(argc, argv);
    if (parsed.exit_code) {
      std::cout << parsed.out << std::flush;
      std::cerr << parsed.err;
      return *parsed.exit_code;
    }
    const Config config = output::configure(parsed.options);
    if (parsed.options.dump_config) {
      dump(output::config_text_of(config), parsed.options);
      return 0;
    }
    if (parsed.options.analysis.verbose && !config.file.empty())
      std::cerr << "syncsniff: configuration " << printable(config.file) << "\n";
    parsed.options.analysis.by_path = parsed.options.command != output::Command::kFix;
    parsed.options.analysis.use_cache = !parsed.options.no_cache;
    parsed.options.analysis.progress = wants_progress(parsed.options);
    if (parsed.options.dump_facts) {
      dump(printable_lines(facts_text(parsed.options.analysis)), parsed.options);
      return 0;
    }
    auto command = parsed.options.command == output::Command::kFix ? fixes::run_fix
                   : parsed.options.fix                            ? fixes::run_check_and_fix
                                                                   : output::run_check;
    return command(parsed.options, analyse_and_tidy, std::cout, std::cerr);
  } catch (const DataError& error) {
    std::cerr << "syncsniff: error: " << printable(error.what()) << kDataRemedy << "\n";
    return 2;
  } catch (const ConfigError& error) {
    std::istringstream mistakes(error.what());
    for (std::string line; std::getline(mistakes, line);) std::cerr << "syncsniff: error: " << printable(line) << "\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "syncsniff: error: " << printable(error.what()) << "\n";
    return 2;
  }
}
