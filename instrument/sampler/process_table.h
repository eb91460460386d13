// The processes of this machine and their parents, from /proc.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace syncsniff::sampler {

class ProcessTable {
 public:
  // Reads the processes again if the last reading is long enough ago. Returns the number of readings so far.
  uint64_t refresh();
  // Descendants of `root`, without those in `excluded` and their own descendants.
  std::vector<pid_t> descendants(pid_t root, const std::unordered_set<pid_t>& excluded) const;

 private:
  std::unordered_map<pid_t, pid_t> parents_;
  uint64_t looked_ns_ = 0, looks_ = 0;
};

// The parent's id in the text of /proc/PID/stat; 0: not known.
pid_t parent_in_stat(const std::string& text);
// The name by which a person knows the process: "decode.py" for `python3 -u decode.py ...`, otherwise the program's
// file name. `command_line`: as in /proc/PID/cmdline.
std::string name_in_command(const std::string& command_line);
std::string process_name(pid_t pid);

}  // namespace syncsniff::sampler
