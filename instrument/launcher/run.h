// The commands `syncsniff run` and `syncsniff report`. They return the process's exit status.
#pragma once

#include "instrument/launcher/options.h"

namespace syncsniff::launcher {

int run(const RunOptions& options);
int report(const ReportOptions& options);

}  // namespace syncsniff::launcher
