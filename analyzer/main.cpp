// syncsniff-analyzer: the program behind `syncsniff check` and `syncsniff fix`.
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <string_view>

#include "analyzer/analysis.h"
#include "analyzer/fixes/fix_command.h"
#include "analyzer/fixes/tidy_deletions.h"
#include "analyzer/output/check_command.h"
#include "analyzer/output/options.h"
#include "rules/data_error.h"
#include "rules/file_limit.h"
#include "rules/untrusted_text.h"

namespace {

syncsniff::FindingsDocument analyse_and_tidy(const syncsniff::AnalysisOptions& options) {
  syncsniff::FindingsDocument document = syncsniff::analyse(options);
  syncsniff::output::SourceCache sources("", options.texts);
  syncsniff::fixes::tidy_deletions(document, sources);
  return document;
}

// Nothing of it in a pipe or a log.
bool wants_progress(const syncsniff::output::Options& options) {
  const char* terminal = std::getenv("TERM");
  return !options.quiet && !options.analysis.verbose && isatty(STDERR_FILENO) && terminal &&
         std::string_view(terminal) != "dumb";
}

}  // namespace

int main(int argc, char** argv) {
  using namespace syncsniff;
  survive_file_limit();
  try {
    output::ParsedOptions parsed = output::parse_options(argc, argv);
    if (parsed.exit_code) {
      std::cout << parsed.out << std::flush;
      std::cerr << parsed.err;
      return *parsed.exit_code;
    }
    parsed.options.analysis.by_path = parsed.options.command != output::Command::kFix;
    parsed.options.analysis.use_cache = !parsed.options.no_cache;
    parsed.options.analysis.progress = wants_progress(parsed.options);
    auto command = parsed.options.command == output::Command::kFix ? fixes::run_fix : output::run_check;
    return command(parsed.options, analyse_and_tidy, std::cout, std::cerr);
  } catch (const DataError& error) {
    std::cerr << "syncsniff: error: " << printable(error.what()) << kDataRemedy << "\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "syncsniff: error: " << printable(error.what()) << "\n";
    return 2;
  }
}
