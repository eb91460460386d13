// branch-on-device: the host branches on a value that it must first copy back from the GPU. The rules that find
// read-backs (scalar-readback, tensor-to-host, sync-in-loop) pass their findings to this code, so that one place has
// one finding.
#include <algorithm>

#include "analyzer/checks/branches.h"

namespace syncsniff::checks {

void report_as_branch(const Program& program, const Located& where, int written, Finding& finding,
                      const Reporter& reporter) {
  if (const auto decision = decision_by(program, where, written))
    report_as_branch(program, where, *decision, finding, reporter);
}

void report_as_branch(const Program& program, const Located& where, const Decision& decision, Finding& finding,
                      const Reporter& reporter) {
  const Region& region = program.function(decision.function).regions[decision.region];
  reporter.reassign_to_rule(finding, "branch-on-device");
  finding.message += "; the host branches on the result ('" + region.text + "')";
  finding.evidence.push_back({to_location(region.place), "the host branches here, before it can launch anything else"});
  if (decision.finiteness) {
    reporter.use_fix_for(finding, "finite");
  } else if (decision.ends_loop) {
    // The algorithm needs to know when it has converged, but not in every step. A product or norm that cuBLAS returns
    // to the host is used for more than the test, and device pointer mode would avoid the wait, so its severity stays.
    if (program.api(program.event(where.api))->blocks != Blocks::kHostResult)
      finding.severity = std::min(finding.severity, Severity::kLow);
    reporter.use_fix_for(finding, "convergence");
  }
}

}  // namespace syncsniff::checks
