// One line of `syncsniff doctor`: something that `check` or `run` needs here, found or how to get it. Each half tests
// its own needs with the code that it works with; the driver joins the results.
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
  std::string remedy;  // what to do; empty: nothing
};

bool works(const std::vector<Diagnosis>& lines);

std::string to_string(Diagnosis::State state);  // found | limited | missing
std::string diagnoses_json(const std::vector<Diagnosis>& lines);
// Throws std::runtime_error for a text that is none.
std::vector<Diagnosis> diagnoses_from_json(const std::string& text);

}  // namespace syncsniff
