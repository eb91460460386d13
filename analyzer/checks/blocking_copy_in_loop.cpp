// blocking-copy-in-loop: a copy between host and device that blocks the host until it is done, in a loop that launches
// GPU work.
#include <algorithm>
#include <set>

#include "analyzer/checks/check.h"
#include "analyzer/checks/copies.h"
#include "analyzer/checks/mirrored_memory.h"

namespace syncsniff::checks {

namespace {

constexpr size_t kFewestInRow = 4;  // fewer copies are reported one by one

struct BlockingCopy {
  Located where;
  Copy copy;
  bool down() const { return copy.direction == Direction::kDeviceToHost; }
};

// Whether both copies are in the same function, direction and branch.
bool stand_in_row(const Program& program, const BlockingCopy& a, const BlockingCopy& b) {
  const Site first = a.where.at, second = b.where.at;
  if (first.function != second.function || a.down() != b.down() || a.copy.likely != b.copy.likely ||
      a.where.heat.severity != b.where.heat.severity || program.block_of(first) != program.block_of(second))
    return false;
  for (int e = first.event + 1; e < second.event; ++e) {
    if (program.effects_of({first.function, e}).launches) return false;
  }
  return true;
}

std::vector<BlockingCopy> blocking_copies(const Program& program, const MirrorClasses& mirrors, Reporter& reporter) {
  const auto blocking = [](const Event& event, const ApiFact& fact) {
    return event.kind == Event::Kind::kApi && fact.copy && waits(event, fact);
  };
  std::vector<BlockingCopy> out;
  for (Located& where : hot_calls(program, blocking)) {
    if (mirrors.is_lazy(where)) continue;
    const Copy copy = read_copy(program, where);
    const bool down = copy.direction == Direction::kDeviceToHost;
    if (!down && copy.direction != Direction::kHostToDevice) {
      reporter.withhold("blocking-copy-in-loop", program, where,
                        "it is not known to copy between host and device memory");
      continue;
    }
    if (down && is_scalar(copy, most_scalar_bytes(reporter))) continue;  // reported by scalar-readback
    if (copy.likely) where.heat.severity = std::min(where.heat.severity, Severity::kMedium);
    out.push_back({std::move(where), copy});
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const BlockingCopy& a, const BlockingCopy& b) { return a.where.at < b.where.at; });
  return out;
}

Finding& report(const Program& program, const BlockingCopy& one, const std::string& what, Reporter& reporter) {
  const Event& event = program.event(one.where.api);
  Finding& finding = reporter.report("blocking-copy-in-loop", program, one.where,
                                     event.callee.name + " blocks the host until " + what + " are copied " +
                                         (one.down() ? "from the GPU" : "to the GPU") + ", " + often(one.where.heat));
  if (one.copy.likely) finding.level = std::max(finding.level, 1);
  if (one.down()) reporter.use_fix_for(finding, "readback");
  const Value* host = argument_value(event, one.copy.host_arg);
  if (!host) return finding;
  const program::Origins origins = host_origins(program, one.where, one.copy, *host);
  const MemoryKind proved = origins.unknown ? MemoryKind::kUnknown : origins.proved();
  if (!one.down() && proved == MemoryKind::kPageable) reporter.use_fix_for(finding, "pageable");
  if (!one.down() && proved == MemoryKind::kPinned) reporter.use_fix_for(finding, "pinned");
  for (const program::Origin& o : origins.all) {
    if (finding.evidence.size() >= 3 || !o.place.line) break;
    finding.evidence.push_back(
        {to_location(o.place), std::string("the host memory is ") + to_string(o.memory) + ": " + o.text});
  }
  return finding;
}

// Reports all copies as one finding at the first copy, with the others as steps of its path.
void report_row(const Program& program, const std::vector<const BlockingCopy*>& row, Reporter& reporter) {
  Finding& finding =
      report(program, *row.front(), "the bytes of " + std::to_string(row.size()) + " copies in a row", reporter);
  for (size_t i = 1; i < row.size(); ++i) {
    const Event& event = program.event(row[i]->where.at);
    finding.path.push_back({to_location(event.place), "and '" + event.text + "' copies in the same direction"});
  }
  reporter.use_fix_for(finding, "row");
}

}  // namespace

void blocking_copy_in_loop(const Program& program, Reporter& reporter) {
  const MirrorClasses mirrors(program);
  report_mirrored_memory(program, mirrors, reporter);
  const std::vector<BlockingCopy> all = blocking_copies(program, mirrors, reporter);
  for (size_t i = 0; i < all.size();) {
    std::vector<const BlockingCopy*> row{&all[i]};
    std::set<unsigned> lines{program.event(all[i].where.at).place.line};
    size_t next = i + 1;
    for (; next < all.size() && stand_in_row(program, *row.back(), all[next]); ++next) {
      if (lines.insert(program.event(all[next].where.at).place.line).second) row.push_back(&all[next]);
    }
    if (row.size() >= kFewestInRow) {
      report_row(program, row, reporter);
    } else {
      for (size_t k = i; k < next; ++k) report(program, all[k], human_bytes(all[k].copy.bytes), reporter);
    }
    i = next;
  }
}

}  // namespace syncsniff::checks
