#include "instrument/sampler/process_table.h"

#include <charconv>
#include <filesystem>
#include <sstream>
#include <utility>

#include "instrument/sampler/clock.h"
#include "instrument/sampler/proc_files.h"

namespace syncsniff::sampler {
namespace {

// Interval between two readings. A loader's workers begin together, and live for an epoch at least. Listing 1,000
// processes takes 0.5 ms.
constexpr uint64_t kLookNs = 100'000'000;

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

pid_t parent_in_stat(const std::string& text) {
  const std::string word = word_of_stat(text, 4);
  pid_t parent = 0;
  std::from_chars(word.data(), word.data() + word.size(), parent);
  return parent;
}

std::string name_in_command(const std::string& command_line) {
  std::istringstream words(command_line);
  std::string program, word;
  std::getline(words, program, '\0');
  program = base_name(program);
  if (!program.starts_with("python")) return program;
  while (std::getline(words, word, '\0')) {
    if (word == "-c") return program;
    if (!word.starts_with("-")) return base_name(word);
  }
  return program;
}

std::string process_name(pid_t pid) {
  return name_in_command(text_of_file("/proc/" + std::to_string(pid) + "/cmdline"));
}

uint64_t ProcessTable::refresh() {
  if (looks_ != 0 && monotonic_ns() - looked_ns_ < kLookNs) return looks_;
  ++looks_;
  std::unordered_map<pid_t, pid_t> now;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const std::string name = entry.path().filename();
    pid_t pid = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), pid).ec != std::errc{}) continue;
    const auto known = parents_.find(pid);
    now[pid] = known != parents_.end() ? known->second : parent_in_stat(text_of_file("/proc/" + name + "/stat"));
  }
  parents_ = std::move(now);
  looked_ns_ = monotonic_ns();
  return looks_;
}

std::vector<pid_t> ProcessTable::descendants(pid_t root, const std::unordered_set<pid_t>& excluded) const {
  std::unordered_map<pid_t, std::vector<pid_t>> children;
  for (const auto& [pid, parent] : parents_)
    if (excluded.count(pid) == 0) children[parent].push_back(pid);
  std::vector<pid_t> found{root};
  for (size_t i = 0; i < found.size(); ++i) {
    // Emptied here, since a process id may be reused.
    const std::vector<pid_t> of_this = std::exchange(children[found[i]], {});
    found.insert(found.end(), of_this.begin(), of_this.end());
  }
  found.erase(found.begin());
  return found;
}

}  // namespace syncsniff::sampler
