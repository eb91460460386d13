// pageable-copy-in-loop: a large blocking copy whose host memory is pageable, in a loop that launches GPU work. This
// rule is about the copy's bandwidth; that the copy waits is reported by blocking-copy-in-loop, which also names the
// memory of smaller copies.
#include "analyzer/checks/check.h"
#include "analyzer/checks/copies.h"

namespace syncsniff::checks {

void pageable_copy_in_loop(const Program& program, Reporter& reporter) {
  const auto blocking = [](const Event& event, const ApiFact& fact) {
    return event.kind == Event::Kind::kApi && fact.copy && waits(event, fact);
  };
  const double least = reporter.threshold("pageable-copy-in-loop", "min_bytes");
  for (Located& where : hot_calls(program, blocking)) {
    const Copy copy = read_copy(program, where);
    const bool down = copy.direction == Direction::kDeviceToHost;
    if (!down && copy.direction != Direction::kHostToDevice) continue;
    if (copy.bytes == facts::kNotConstant || static_cast<double>(copy.bytes) < least) continue;
    const Event& event = program.event(where.api);
    const Value* host = argument_value(event, copy.host_arg);
    if (!host) continue;
    const auto is_pageable = [&program, host, copy](const Located& way) {
      const program::Origins made = host_origins(program, way, copy, *host);
      return !made.unknown && made.proved() == MemoryKind::kPageable;
    };
    if (!find_way(program, where, is_pageable)) continue;
    const program::Origins origins = host_origins(program, where, copy, *host);
    Finding& finding = reporter.report(
        "pageable-copy-in-loop", program, where,
        event.callee.name + " copies " + human_bytes(copy.bytes) + (down ? " into" : " from") +
            " pageable memory, through the driver's own pinned buffer piece by piece, " + often(where.heat));
    reporter.only_where(is_pageable);
    for (const program::Origin& o : origins.all) {
      if (finding.evidence.size() >= 3 || !o.place.line) break;
      finding.evidence.push_back({to_location(o.place), "the host memory is pageable: " + o.text});
    }
  }
}

}  // namespace syncsniff::checks
