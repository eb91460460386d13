// pageable-async-copy: an asynchronous copy whose host memory is proved to be pageable, so that the host waits for it.
#include "analyzer/checks/check.h"
#include "analyzer/checks/copies.h"
#include "analyzer/checks/exposure.h"
#include "analyzer/checks/mirror_classes.h"

namespace syncsniff::checks {

namespace {

std::string why_not_pageable(MemoryKind proved) {
  if (proved != MemoryKind::kUnknown) return std::string("the host memory is ") + to_string(proved);
  return "where the host memory was allocated is not known, or differs between call paths";
}

std::string what_happens(const Copy& copy, bool staged, const Heat& heat) {
  if (staged)
    return " copies " + human_bytes(copy.bytes) +
           " from pageable memory: staged by the driver, not overlapped with kernels";
  const bool up = copy.direction == Direction::kHostToDevice;
  return std::string(up ? " copies from" : " copies to") + " pageable memory, so the host waits inside the call " +
         often(heat);
}

}  // namespace

void pageable_async_copy(const Program& program, Reporter& reporter) {
  const auto async = [](const Event& event, const ApiFact& fact) {
    return event.kind == Event::Kind::kApi && fact.copy && fact.blocks == Blocks::kPageable;
  };
  const double most_staged = reporter.threshold("pageable-async-copy", "staged_bytes");
  const MirrorClasses mirrors(program);
  for (Located& where : hot_calls(program, async)) {
    if (mirrors.is_lazy(where)) continue;  // blocking-copy-in-loop reports it, with the access that makes it necessary
    const Copy copy = read_copy(program, where);
    const Event& event = program.event(where.api);
    const Value* host = argument_value(event, copy.host_arg);
    if (!host) continue;
    const auto is_pageable = [&program, host, copy](const Located& way) {
      return host_origins(program, way, copy, *host).proved() == MemoryKind::kPageable;
    };
    const bool pageable = find_way(program, where, is_pageable);
    const program::Origins origins = host_origins(program, where, copy, *host);
    if (!pageable) {
      reporter.withhold("pageable-async-copy", program, where, why_not_pageable(origins.proved()));
      continue;
    }
    // Pinned memory would not help: the host needs the data at once.
    if (is_waited_for_at_once(program, where)) {
      reporter.withhold("pageable-async-copy", program, where, "the wait after it is reported as a read-back");
      continue;
    }
    const bool staged = copy.direction == Direction::kHostToDevice && copy.bytes != facts::kNotConstant &&
                        static_cast<double>(copy.bytes) <= most_staged;
    if (staged) where.heat.severity = Severity::kInfo;
    Finding& finding = reporter.report("pageable-async-copy", program, where,
                                       event.callee.name + what_happens(copy, staged, where.heat));
    reporter.only_where(is_pageable);
    for (const program::Origin& o : origins.all) {
      if (finding.evidence.size() >= 4) break;
      if (o.place.line) finding.evidence.push_back({to_location(o.place), "the memory is pageable: " + o.text});
    }
  }
}

}  // namespace syncsniff::checks
