// pinned-in-name-only: a tensor over memory that nobody pinned is given options that say pinned.
#include <algorithm>

#include "analyzer/checks/check.h"

namespace syncsniff::checks {

namespace {

bool claims(const Event& event, const ApiFact&) {
  return event.kind == Event::Kind::kTensor && event.result.claims_pinned && !event.args.empty();
}

// In a hot loop as often as that; elsewhere the copies that it slows are somewhere else, so it is told, and lower.
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
  if (!program.uses_cuda_tensors()) return;
  for (const Located& where : blobs(program)) {
    const Event& event = program.event(where.api);
    const auto origins = program.origins(event.args.front(), program.reading(where.api), where.context());
    if (origins.proved() != MemoryKind::kPageable) continue;
    Finding& finding = reporter.report(
        "pinned-in-name-only", program, where,
        "pinned_memory(true) pins nothing here: from_blob() takes memory as it is, and this is pageable, "
        "so copies of it to the GPU hold the host");
    for (const auto& origin : origins.all)
      if (origin.place.line) finding.evidence.push_back({to_location(origin.place), "pageable memory: " + origin.text});
  }
}

}  // namespace syncsniff::checks
