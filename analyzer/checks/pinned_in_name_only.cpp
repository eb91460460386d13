// pinned-in-name-only: from_blob() gets memory that is not pinned, with options that claim it is.
#include <algorithm>

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

namespace {

bool claims(const Event& event, const ApiFact&) {
  return event.kind == Event::Kind::kTensor && event.result.claims_pinned && !event.args.empty();
}

// The calls to report. In a hot loop a call has the loop's severity; elsewhere the slow copies are at other places, so
// the call is reported at a lower severity.
std::vector<Located> blobs(const Program& program) {
  std::vector<Located> out;
  for (const Site& call : calls(program, claims)) {
    for (Located& where : locate(program, call)) {
      if (where.heat.dropped) continue;
      if (!where.heat.hot) where.heat.severity = Severity::kMedium;
      out.push_back(std::move(where));
    }
  }
  return out;
}

}  // namespace

void pinned_in_name_only(const Program& program, Reporter& reporter) {
  if (!program.usage().cuda_tensors) return;
  for (const Located& where : blobs(program)) {
    const Event& event = program.event(where.api);
    const auto origins = program.origins(event.args.front().value, program.reading(where.api), where.context());
    if (origins.proved() != MemoryKind::kPageable) continue;
    Finding& finding = reporter.report(
        "pinned-in-name-only", program, where,
        "pinned_memory(true) pins nothing here: from_blob() wraps existing memory, and this memory is pageable, "
        "so copying it to the GPU blocks the host");
    for (const auto& origin : origins.all)
      if (origin.place.line) finding.evidence.push_back({to_location(origin.place), "pageable memory: " + origin.text});
  }
}

}  // namespace syncsniff::checks
