// blocking-copy-in-loop: a copy across the bus that holds the host until it is done, in a loop that feeds the GPU.
#include <algorithm>

#include "analyzer/checks/check.h"
#include "analyzer/checks/copies.h"
#include "analyzer/checks/mirrored_memory.h"

namespace syncsniff::checks {

void blocking_copy_in_loop(const Program& program, Reporter& reporter) {
  const auto blocking = [](const Event& event, const ApiFact& fact) {
    return event.kind == Event::Kind::kApi && fact.copy && waits(event, fact);
  };
  const MirrorClasses mirrors(program);
  report_mirrored_memory(program, mirrors, reporter);
  for (Located& where : hot_calls(program, blocking)) {
    if (mirrors.is_lazy(where)) continue;
    const Copy copy = read_copy(program, where);
    const bool down = copy.direction == Direction::kDeviceToHost;
    if (!down && copy.direction != Direction::kHostToDevice) {
      reporter.withhold("blocking-copy-in-loop", program, where, "it is not known to cross the bus");
      continue;
    }
    if (down && is_scalar(copy)) continue;  // scalar-readback
    if (copy.likely) where.heat.severity = std::min(where.heat.severity, Severity::kMedium);
    const Event& event = program.event(where.api);
    std::string message = event.callee_name + " holds the host until " + human_bytes(copy.bytes) + " are copied " +
                          (down ? "from the GPU" : "to the GPU") + ", " + often(where.heat);
    Finding& finding = reporter.report("blocking-copy-in-loop", program, where, message);
    if (copy.likely) finding.level = std::max(finding.level, 1);
    if (down) reporter.use_fix_for(finding, "readback");
    const Value* host = argument_value(event, copy.host_arg);
    if (!host) continue;
    const auto origins = program.origins(*host, program.reading(where.api), where.context());
    if (!down && !origins.unknown && origins.proved() == MemoryKind::kPageable)
      reporter.use_fix_for(finding, "pageable");
    for (const program::Origin& o : origins.all) {
      if (finding.evidence.size() >= 3 || !o.place.line) break;
      finding.evidence.push_back(
          {to_location(o.place), std::string("the host memory is ") + to_string(o.memory) + ": " + o.text});
    }
  }
}

}  // namespace syncsniff::checks
