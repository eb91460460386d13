// `syncsniff fix`: makes the safe edits, or shows them as a diff, and prints for every other finding what to write
// instead.
#pragma once

#include <iosfwd>

#include "analyzer/output/options.h"
#include "analyzer/output/pipeline.h"

namespace syncsniff::fixes {

// Exit code: 0 nothing is left to do, 1 findings remain, 2 nothing could be analysed. Throws std::runtime_error with a
// message of one line; no file was changed then, unless a write itself failed.
int run_fix(const output::Options& options, const output::Analyse& analyse, std::ostream& out, std::ostream& err);

// `syncsniff check --fix`: runs `check`, then makes the safe edits of the findings that it reported as new. Standard
// output has only the report. Exit code: as above.
int run_check_and_fix(const output::Options& options, const output::Analyse& analyse, std::ostream& out,
                      std::ostream& err);

}  // namespace syncsniff::fixes
