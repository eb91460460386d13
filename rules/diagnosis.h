// One line of `syncsniff doctor`: something that `check` or `run` needs on this machine, and how to get it if it is
// missing. Each half tests its own needs with the code that uses them; the driver joins the results.
#pragma once

#include <string>
#include <vector>

namespace syncsniff {

struct Diagnosis {
  enum class State {
    kFound,
    kLimited,  // missing or unusual, but the command works without it
    kMissing,  // the command cannot work
  };
  std::string name;
  State state = State::kFound;
  std::string detail;  // what was found, or what is wrong
  std::string remedy;  // what to do; empty: nothing needs to be done
};

bool works(const std::vector<Diagnosis>& lines);

std::string to_string(Diagnosis::State state);  // found | limited | missing
std::string diagnoses_json(const std::vector<Diagnosis>& lines);
// Throws std::runtime_error if the text is not such JSON.
std::vector<Diagnosis> diagnoses_from_json(const std::string& text);

}  // namespace syncsniff
