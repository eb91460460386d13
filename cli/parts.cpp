#include "cli/parts.h"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstring>

namespace syncsniff::cli {
namespace {

constexpr size_t kMaxEdits = 2;

size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substituted = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> kCommands{
      {"check", "syncsniff-analyzer", "SYNCSNIFF_ANALYZER", "read sources, name the lines that will stall the GPU"},
      {"fix", "syncsniff-analyzer", "SYNCSNIFF_ANALYZER", "mend what can be mended safely"},
      {"run", "syncsniff-instrument", "SYNCSNIFF_RUN", "run a program, blame its GPU idle time on lines"},
      {"report", "syncsniff-instrument", "SYNCSNIFF_RUN", "the same report from a recorded run"},
      {"diff", "syncsniff-instrument", "SYNCSNIFF_RUN", "two recorded runs: what a change did, line by line"},
      {"scale", "syncsniff-instrument", "SYNCSNIFF_RUN", "run a program at several sizes: what limits a step at each"},
      {"dump", "syncsniff-instrument", "SYNCSNIFF_RUN", "a trace as text"},
      {"undump", "syncsniff-instrument", "SYNCSNIFF_RUN", "text as a trace"},
      {"rules", nullptr, nullptr, "list the rules"},
      {"rule", nullptr, nullptr, "what one rule looks for, why, and the fix"}};
  return kCommands;
}

const Command* find_command(const std::string& name) {
  for (const Command& command : commands())
    if (name == command.name) return &command;
  return nullptr;
}

std::string nearest_command(const std::string& name) {
  std::string nearest;
  size_t best = kMaxEdits + 1;
  for (const Command& command : commands())
    if (const size_t distance = edit_distance(name, command.name); distance < best)
      best = distance, nearest = command.name;
  return nearest;
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
