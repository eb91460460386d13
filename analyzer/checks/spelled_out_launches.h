// A loop over tensors written out call by call: update(w1), update(b1), update(w2), update(b2). Reported as
// per-tensor-loop.
#pragma once

#include "analyzer/checks/check.h"
#include "analyzer/program/element_share.h"

namespace syncsniff::checks {

void spelled_out_launches(const Program& program, const ElementShare& share, Reporter& reporter);

}  // namespace syncsniff::checks
