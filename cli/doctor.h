// `syncsniff doctor`: what both halves say that they need here, joined.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "rules/config/config.h"

namespace syncsniff::cli {

extern const char* const kDoctorHelp;

// `words`: `check`, `run` or nothing for both; `format`: text or json. Returns the exit status: 0 when what was asked
// about can work (of both: one of them), 1 when not. Throws std::runtime_error for other words.
int run_doctor(const std::vector<std::string>& words, const ConfigChoice& choice, const std::string& format,
               std::ostream& out);

}  // namespace syncsniff::cli
