#include "cli/parts.h"

#include <unistd.h>

#include <climits>

#include "rules/nearest_name.h"

namespace syncsniff::cli {

const std::vector<Command>& commands() {
  static const std::vector<Command> kCommands{
      {"check", "syncsniff-analyzer", "SYNCSNIFF_ANALYZER",
       "read source code and report the lines that will stall the GPU"},
      {"fix", "syncsniff-analyzer", "SYNCSNIFF_ANALYZER", "apply the safe fixes to the source files"},
      {"run", "syncsniff-instrument", "SYNCSNIFF_RUN", "run a program and attribute its GPU idle time to source lines"},
      {"report", "syncsniff-instrument", "SYNCSNIFF_RUN", "print the report of a recorded run again"},
      {"diff", "syncsniff-instrument", "SYNCSNIFF_RUN", "compare two recorded runs, line by line"},
      {"scale", "syncsniff-instrument", "SYNCSNIFF_RUN",
       "run a program at several sizes and report what limits a step at each"},
      {"dump", "syncsniff-instrument", "SYNCSNIFF_RUN", "print a trace as text"},
      {"undump", "syncsniff-instrument", "SYNCSNIFF_RUN", "make a trace from such text"},
      {"list-checks", nullptr, nullptr, "list the rules that .syncsniff.yaml enables here"},
      {"explain", nullptr, nullptr, "print what one rule looks for, why, the fix, and its thresholds"},
      {"doctor", nullptr, nullptr, "print what check and run need here: found, or how to get it"},
      {"rules", nullptr, nullptr, "list all rules"},
      {"rule", nullptr, nullptr, "the same as explain"}};
  return kCommands;
}

const Command* find_command(const std::string& name) {
  for (const Command& command : commands())
    if (name == command.name) return &command;
  return nullptr;
}

std::string nearest_command(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  names.insert(names.end(), {"--help", "--version"});
  return nearest_name(name, names);
}

std::string find_part(const std::string& part) {
  char self[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self);
  if (length <= 0) return "";
  const std::string program(self, static_cast<size_t>(length));
  const std::string folder = program.substr(0, program.rfind('/'));
  for (const char* beside : {"/", "/../libexec/syncsniff/", "/../lib/syncsniff/"}) {
    const std::string candidate = folder + beside + part;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return "";
}

void become(const std::string& program, const std::vector<std::string>& arguments) {
  std::vector<char*> words;
  for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execv(program.c_str(), words.data());
}

}  // namespace syncsniff::cli
