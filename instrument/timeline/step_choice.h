// What the user says a step is: `--step=nvtx:NAME` or `--step=line:FILE:LINE`.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "instrument/reader/places.h"
#include "instrument/reader/trace.h"
#include "instrument/timeline/regular_steps.h"

namespace syncsniff::timeline {

struct StepChoice {
  std::string range;  // NVTX range of any domain; "domain/name" where two domains have the name
  std::string file;
  uint32_t line = 0;
  bool made() const { return !range.empty() || line != 0; }
};

// The choice cannot be parsed, or nothing in the run matches it. what(): one line that says what the run has instead.
class StepChoiceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

StepChoice parse_step_choice(const std::string& text);
// The text that parse_step_choice() reads; the choice must be made.
std::string step_choice_text(const StepChoice& choice);

Steps chosen_steps(const reader::Trace& trace, const reader::Places& places, const StepChoice& choice);

}  // namespace syncsniff::timeline
