// `syncsniff doctor`: joins what both halves report about their needs.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "rules/config/config.h"

namespace syncsniff::cli {

// `words`: `check`, `run` or nothing for both; `format`: text or json. Returns the exit status: 0 when the requested
// half can work (for both: one of them), otherwise 1. Throws std::runtime_error for other words.
int run_doctor(const std::vector<std::string>& words, const ConfigChoice& choice, const std::string& format,
               std::ostream& out);

}  // namespace syncsniff::cli
