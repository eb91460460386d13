// Checks that a unit read with a preamble would have read the same without it: it includes the preamble's headers first
// and in their order, and the lines between them cannot depend on headers having been read already.
#pragma once

#include <clang/Frontend/CompilerInstance.h>

#include "analyzer/facts/preamble.h"
#include "analyzer/facts/project_files.h"

namespace syncsniff::facts {

struct PreambleVerdict {
  size_t headers_met = 0;
  bool broken = false;
  bool holds(const Preamble& preamble) const { return !broken && headers_met == preamble.headers.size(); }
};

// Watches what `compiler` reads from the start of its source on, and fills in `verdict`. All arguments must outlive the
// reading.
void watch_beginning(clang::CompilerInstance& compiler, const Preamble& preamble, const ProjectFiles& project,
                     PreambleVerdict& verdict);

}  // namespace syncsniff::facts
