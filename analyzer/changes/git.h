// Runs git's plumbing commands. The user's configuration, and what a hook sets (GIT_INDEX_FILE), apply as for any git
// command.
#pragma once

#include <string>
#include <vector>

namespace syncsniff::changes {

struct GitAnswer {
  int status = 0;  // exit status; -1: a signal ended it
  std::string out;
  std::string error;  // the first line of its standard error, without git's "fatal: "
};

// `git ARGUMENTS...` with `input` on standard input. Throws std::runtime_error when git cannot be started.
GitAnswer run_git(const std::vector<std::string>& arguments, const std::string& input = "");

}  // namespace syncsniff::changes
