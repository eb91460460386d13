// `syncsniff fix`: safe edits made (or shown as a diff), and for every other finding what to write instead.
#pragma once

#include <iosfwd>

#include "analyzer/output/options.h"
#include "analyzer/output/pipeline.h"

namespace syncsniff::fixes {

// Exit code: 0 nothing is left to do, 1 findings remain, 2 nothing could be analysed.
// Errors: std::runtime_error with one line; unless a write itself failed, no file was changed then.
int run_fix(const output::Options& options, const output::Analyse& analyse, std::ostream& out, std::ostream& err);

// `syncsniff check --fix`: `check`, then the safe edits of the findings that it has reported as new. Standard output is
// the report's. Exit code: as above.
int run_check_and_fix(const output::Options& options, const output::Analyse& analyse, std::ostream& out,
                      std::ostream& err);

}  // namespace syncsniff::fixes
