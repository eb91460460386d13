// The processes of this machine and who started each, as /proc tells them.
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
  // Looks again if the last time is long enough ago. How often it has looked.
  uint64_t refresh();
  // Of `root`, but none of `excluded` and of their own descendants.
  std::vector<pid_t> descendants(pid_t root, const std::unordered_set<pid_t>& excluded) const;

 private:
  std::unordered_map<pid_t, pid_t> parents_;
  uint64_t looked_ns_ = 0, looks_ = 0;
};

// The parent as /proc/PID/stat has it; 0: not known.
pid_t parent_in_stat(const std::string& text);
// What a person calls the process: "decode.py" of `python3 -u decode.py ...`, else the program's file name.
// `command_line`: as in /proc/PID/cmdline.
std::string name_in_command(const std::string& command_line);
std::string process_name(pid_t pid);

}  // namespace syncsniff::sampler
