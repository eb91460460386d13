// Which units `check` reads, and for which files it reports.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analyzer/frontend/command.h"

namespace syncsniff {

struct AnalysisOptions;

// All units of the database are read, since a program is judged as a whole; findings are reported only for the
// requested files.
struct Plan {
  std::vector<frontend::CompileCommand> commands;
  std::set<std::string> requested;  // canonical paths; empty: all
  std::set<std::string> fetched;    // as shown to users; files with _deps in their path
  std::set<std::string> several;    // canonical; files that the database compiles with more than one command
  bool no_database = false;
  std::string foreign_database;  // a database that was found but not used, because it is another project's
};

// Errors: std::runtime_error with one line, for a missing file, an unreadable database, or no database of this project
// when no file is named.
Plan make_plan(const AnalysisOptions& options);

}  // namespace syncsniff
