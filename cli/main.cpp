// syncsniff: the driver. Starts the part that a command needs, and prints the rules itself.
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <string_view>

#include "cli/doctor.h"
#include "cli/missing_libraries.h"
#include "cli/pages.h"
#include "cli/parts.h"
#include "cli/rules_text.h"
#include "rules/data_error.h"
#include "rules/file_limit.h"
#include "rules/report_target.h"
#include "rules/standard_streams.h"
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
    std::cout << "  " << command.name << std::string(13 - std::strlen(command.name), ' ') << command.help << '\n';
  std::cout << "\n`syncsniff COMMAND --help` prints a command's options. Exit status: 0 clean, 1 findings, 2 could not "
               "do the job.\n";
}

struct OwnWords {
  ConfigChoice choice;
  bool all = false, help = false;
  std::string format = "text";
  std::vector<std::string> others;
};

// Options of the driver's own commands. Throws std::runtime_error for one that the command does not have.
OwnWords read_words(const std::string& name, const std::vector<std::string>& words) {
  OwnWords own;
  const bool takes_config = name == "list-checks" || name == "explain" || name == "rule" || name == "doctor";
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--help" || word == "-h")
      own.help = true;
    else if (takes_config && word == "--no-config")
      own.choice.none = true;
    else if (takes_config && word == "--config" && i + 1 < words.size())
      own.choice.file = words[++i];
    else if (takes_config && word.starts_with("--config=") && word.size() > 9)
      own.choice.file = word.substr(9);
    else if (name == "list-checks" && word == "--all")
      own.all = true;
    else if (name == "doctor" && word.starts_with("--format="))
      own.format = word.substr(9);
    else if (name == "doctor" && word == "--format" && i + 1 < words.size())
      own.format = words[++i];
    else if (word.starts_with('-'))
      throw std::runtime_error(name + ": " + word + ": no such option, or its value is missing; see `syncsniff " +
                               name + " --help`");
    else
      own.others.push_back(word);
  }
  if (own.choice.none && !own.choice.file.empty())
    throw std::runtime_error(name + ": --config and --no-config exclude each other");
  if (const ReportTarget target = report_target(own.format); !target.file.empty())
    throw std::runtime_error(name + ": --format=" + own.format + ": writes no file; use " + name +
                             " --format=" + target.format + " > " + target.file);
  if (const std::string why = why_no_target(own.format, {"text", "json"}); !why.empty())
    throw std::runtime_error(name + ": --format: " + why);
  return own;
}

int own_command(const std::string& name, const std::vector<std::string>& words) {
  const OwnWords own = read_words(name, words);
  if (own.help) {
    std::cout << manual::help_text(own_page(name));
    return 0;
  }
  if (name == "doctor") return run_doctor(own.others, own.choice, own.format, std::cout);
  if (name == "explain" || name == "rule") {
    if (own.others.size() != 1) return fail(name + ": needs one rule id; `syncsniff rules` lists them");
    print_rule(own.others[0], own.choice, std::cout);
    return 0;
  }
  if (!own.others.empty()) return fail(name + ": takes no arguments; `syncsniff explain ID` prints one rule");
  if (name == "rules")
    print_rules(std::cout);
  else
    print_checks(own.choice, own.all, std::cout);
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
  // The facts of a large program lie in gigabytes of small pieces: with huge pages a check of 2,000 cached units
  // took 3 to 6 % less time. Programs that `run` starts keep their own way.
  if (std::string_view(command->part) == "syncsniff-analyzer")
    setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1", /*overwrite=*/0);
  become(program, arguments);
  return fail(program + ": cannot be started: " + std::strerror(errno) + "; install syncsniff again");
}

// An error unless all output has been written.
int printed(int status) {
  const std::string problem = flush_output();
  return problem.empty() ? status : fail(problem);
}

}  // namespace
}  // namespace syncsniff::cli

int main(int argc, char** argv) {
  syncsniff::survive_file_limit();
  syncsniff::fill_standard_streams();
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() > 1 && words[0] == "help") words = {words[1], "--help"};
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
