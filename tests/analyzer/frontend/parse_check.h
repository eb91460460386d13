// Parses one translated unit in this process, syntax only, and tells its errors.
#pragma once

#include <string>
#include <vector>

#include "analyzer/frontend/command.h"

namespace syncsniff::frontend {

struct ParseOutcome {
  std::vector<std::string> errors;  // "file:line: message"
  bool fatal = false;
  double seconds = 0;
};

// `code` non-empty: parsed in place of what is on disk.
ParseOutcome parse_unit(const UnitCommand& unit, const std::string& code = "");

}  // namespace syncsniff::frontend
