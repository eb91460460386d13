// syncsniff: the driver. Starts the part that a command needs, and prints the rules itself.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <iostream>

#include "cli/missing_libraries.h"
#include "cli/pages.h"
#include "cli/parts.h"
#include "cli/rules_text.h"
#include "rules/data_error.h"
#include "rules/file_limit.h"
#include "rules/untrusted_text.h"

namespace syncsniff::cli {
namespace {

constexpr int kCouldNotDoIt = 2;

int fail(const std::string& line) {
  std::cerr << "syncsniff: error: " << printable(line) << '\n';
  return kCouldNotDoIt;
}

void print_help() {
  std::cout << "usage: syncsniff COMMAND [ARGUMENTS...]\nFinds where a training program makes its GPU wait, before and "
               "while it runs.\n\n";
  for (const Command& command : commands())
    std::cout << "  " << command.name << std::string(8 - std::strlen(command.name), ' ') << command.help << '\n';
  std::cout << "\n`syncsniff COMMAND --help` tells a command's options. Exit status: 0 clean, 1 findings, 2 could not "
               "do the job.\n";
}

int own_command(const std::string& name, const std::vector<std::string>& words) {
  const bool help =
      std::any_of(words.begin(), words.end(), [](const std::string& word) { return word == "--help" || word == "-h"; });
  if (help) {
    std::cout << manual::help_text(own_page(name));
    return 0;
  }
  if (name == "rules") {
    if (!words.empty()) return fail("rules: takes no arguments; `syncsniff rule ID` prints one rule");
    print_rules(std::cout);
    return 0;
  }
  if (words.size() != 1) return fail("rule: needs one rule id; `syncsniff rules` lists them");
  print_rule(words[0], std::cout);
  return 0;
}

int dispatch(const std::string& name, const std::vector<std::string>& words) {
  const Command* command = find_command(name);
  if (command == nullptr) {
    const std::string nearest = nearest_command(name);
    return fail(name + ": no such command; " +
                (nearest.empty() ? "see `syncsniff --help`" : "did you mean `" + nearest + "`?"));
  }
  if (command->part == nullptr) return own_command(name, words);
  const std::string program = find_part(command->part);
  if (program.empty())
    return fail(std::string(command->part) +
                ": not installed with this program; install the package syncsniff, or build "
                "with -D" +
                command->build_option + "=ON");
  if (const std::string missing = missing_libraries(program); !missing.empty())
    return fail(name + ": needs what is not on this machine: " + missing +
                "; on Debian and Ubuntu: apt install "
                "libclang-cpp19 libclang-common-19-dev");
  std::vector<std::string> arguments{program, name};
  arguments.insert(arguments.end(), words.begin(), words.end());
  become(program, arguments);
  return fail(program + ": cannot be started: " + std::strerror(errno) + "; install syncsniff again");
}

// What was printed has arrived, or the command has not done its job.
int printed(int status) {
  const std::string problem = flush_output();
  return problem.empty() ? status : fail(problem);
}

}  // namespace
}  // namespace syncsniff::cli

int main(int argc, char** argv) {
  syncsniff::survive_file_limit();
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    syncsniff::cli::print_help();
    return syncsniff::cli::printed(words.empty() ? syncsniff::cli::kCouldNotDoIt : 0);
  }
  if (words[0] == "--version") {
    std::cout << "syncsniff " << SYNCSNIFF_VERSION << '\n';
    return syncsniff::cli::printed(0);
  }
  try {
    if (words[0] == "--dump-options") {  // for the build: man pages and completions are made from it
      std::cout << syncsniff::manual::pages_to_json(syncsniff::cli::all_pages());
      return syncsniff::cli::printed(0);
    }
    return syncsniff::cli::printed(
        syncsniff::cli::dispatch(words[0], std::vector<std::string>(words.begin() + 1, words.end())));
  } catch (const syncsniff::DataError& error) {
    return syncsniff::cli::fail(std::string(error.what()) + syncsniff::kDataRemedy);
  } catch (const std::exception& error) {
    return syncsniff::cli::fail(error.what());
  }
}
