#include "cli/doctor.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>

#include "cli/missing_libraries.h"
#include "cli/parts.h"
#include "rules/diagnosis.h"
#include "rules/subprocess.h"
#include "rules/untrusted_text.h"

namespace syncsniff::cli {
namespace {

using State = Diagnosis::State;

struct Half {
  const char* command;  // that stands for it: check, run
  std::vector<Diagnosis> lines;
};

// Prints what the part reports, after a line for the part itself.
Half ask(const char* command_name, const std::vector<std::string>& arguments) {
  const Command& command = *find_command(command_name);
  Half half{command_name, {}};
  const std::string program = find_part(command.part);
  if (program.empty()) {
    half.lines.push_back({command.part, State::kMissing, "not installed beside this program",
                          std::string("build with -D") + command.build_option + "=ON, or install it"});
    return half;
  }
  if (const std::string missing = missing_libraries(program); !missing.empty()) {
    half.lines.push_back({command.part, State::kMissing, "needs " + missing,
                          "on Debian and Ubuntu: apt install libclang-cpp19 libclang-common-19-dev"});
    return half;
  }
  std::vector<std::string> words{program, "doctor"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::string output, errors;
  const bool ended_well = run_program(words, "", &output, &errors);
  try {
    half.lines = diagnoses_from_json(output);
    if (!ended_well) throw std::runtime_error("ended with an error");
    half.lines.insert(half.lines.begin(), {command.part, State::kFound, program, ""});
  } catch (const std::exception& error) {
    const std::string said = errors.substr(0, errors.find('\n'));
    half.lines.insert(half.lines.begin(),
                      {command.part, State::kMissing, program + " cannot work: " + (said.empty() ? error.what() : said),
                       "install syncsniff again"});
  }
  return half;
}

// The names of what is missing, with commas.
std::string missing_names(const Half& half) {
  std::string names;
  for (const Diagnosis& line : half.lines)
    if (line.state == State::kMissing) names += (names.empty() ? "" : ", ") + line.name;
  return names;
}

void print_text(const std::vector<Half>& halves, std::ostream& out) {
  size_t width = 0;
  for (const Half& half : halves)
    for (const Diagnosis& line : half.lines) width = std::max(width, line.name.size());
  for (const Half& half : halves) {
    out << half.command << '\n';
    for (const Diagnosis& line : half.lines) {
      const std::string state = to_string(line.state);
      out << "  " << state << std::string(9 - state.size(), ' ') << printable(line.name)
          << std::string(width - line.name.size() + 2, ' ') << printable(line.detail);
      if (!line.remedy.empty()) out << "; " << printable(line.remedy);
      out << '\n';
    }
    out << '\n';
  }
  for (const Half& half : halves) {
    const bool can = works(half.lines);
    out << half.command << (can ? ": can work here" : ": cannot work here, missing: " + printable(missing_names(half)))
        << '\n';
  }
}

void print_json(const std::vector<Half>& halves, std::ostream& out) {
  nlohmann::ordered_json document;
  for (const Half& half : halves) {
    document[half.command] = {{"works", works(half.lines)},
                              {"lines", nlohmann::ordered_json::parse(diagnoses_json(half.lines))}};
  }
  out << guard_json(document.dump(2)) << '\n';
}

}  // namespace

int run_doctor(const std::vector<std::string>& words, const ConfigChoice& choice, const std::string& format,
               std::ostream& out) {
  if (words.size() > 1 || (words.size() == 1 && words[0] != "check" && words[0] != "run"))
    throw std::runtime_error("doctor: takes `check`, `run` or no argument; see `syncsniff doctor --help`");
  std::vector<Half> halves;
  if (words.empty() || words[0] == "check") {
    std::vector<std::string> arguments;
    if (choice.none) arguments.emplace_back("--no-config");
    if (!choice.file.empty()) arguments.push_back(choice.file);
    halves.push_back(ask("check", arguments));
  }
  if (words.empty() || words[0] == "run") halves.push_back(ask("run", {}));
  if (format == "json")
    print_json(halves, out);
  else
    print_text(halves, out);
  return std::any_of(halves.begin(), halves.end(), [](const Half& half) { return works(half.lines); }) ? 0 : 1;
}

}  // namespace syncsniff::cli
