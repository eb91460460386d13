// Findings for memory that a class mirrors on host and device: one for each access that copies because another access
// of the same hot loop has written the other side.
#pragma once

#include "analyzer/checks/mirror_classes.h"

namespace syncsniff::checks {

void report_mirrored_memory(const Program& program, const MirrorClasses& classes, Reporter& reporter);

}  // namespace syncsniff::checks
