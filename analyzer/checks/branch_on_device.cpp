// branch-on-device: the host decides by a value that it must fetch from the GPU first. The rules that find read-backs
// (scalar-readback, tensor-to-host, sync-in-loop) hand theirs over here, so that one place has one finding.
#include <algorithm>

#include "analyzer/checks/branches.h"

namespace syncsniff::checks {

void retell_as_branch(const Program& program, const Located& where, int written, Finding& finding,
                      const Reporter& reporter) {
  const auto decision = decision_by(program, where, written);
  if (!decision) return;
  const Region& region = program.function(decision->function).regions[decision->region];
  reporter.retell(finding, "branch-on-device");
  finding.message += "; the host decides by it ('" + region.text + "')";
  finding.evidence.push_back({to_location(region.place), "decided here, before anything else can be launched"});
  if (decision->finiteness) {
    reporter.use_fix_for(finding, "finite");
  } else if (decision->ends_loop) {
    // The algorithm needs to know when it is done: not at every step, though. A product or norm that cuBLAS hands to the
    // host is more than a test, and device pointer mode would keep it from stopping the step.
    if (program.api(program.event(where.api))->blocks != Blocks::kHostResult)
      finding.severity = std::min(finding.severity, Severity::kLow);
    reporter.use_fix_for(finding, "convergence");
  }
}

}  // namespace syncsniff::checks
