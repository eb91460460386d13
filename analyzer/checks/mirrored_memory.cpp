#include "analyzer/checks/mirrored_memory.h"

#include <algorithm>

#include "analyzer/checks/mirror_run.h"

namespace syncsniff::checks {

namespace {

constexpr size_t kMostLoops = 128;

// The hot loops around the accesses: the outermost loop that launches GPU work, which may be too large to interpret,
// and the loops on the call paths.
std::set<std::pair<int, int>> hot_loops(const Program& program, const MirrorClasses& classes) {
  std::set<std::pair<int, int>> loops;
  for (int f = 0; f < static_cast<int>(program.functions().size()); ++f) {
    if (!classes.leads_to_accessor(f)) continue;
    for (int e = 0; e < static_cast<int>(program.function(f).events.size()); ++e) {
      const auto& callees = program.callees({f, e});
      const bool leads = classes.is_lazy(Site{f, e}) || std::any_of(callees.begin(), callees.end(), [&](int callee) {
                           return classes.leads_to_accessor(callee);
                         });
      if (!leads || loops.size() >= kMostLoops) continue;
      const Heat heat = program.heat(Site{f, e});
      if (!heat.hot || heat.dropped || heat.loop_region < 0) continue;
      loops.emplace(heat.loop_function, heat.loop_region);
      const auto& regions = program.function(f).regions;
      for (int r = program.event({f, e}).region; r >= 0; r = regions[r].parent) {
        if (regions[r].kind == Region::Kind::kLoop && program.loops().feeding.launches(f, r)) loops.emplace(f, r);
      }
    }
  }
  return loops;
}

// Follows calls from the copy, or from the call of a function that copies, down to the API call. `inner`: the calls
// passed.
Site api_below(const Program& program, const MirrorClasses& classes, std::vector<Site>& inner, Site copy) {
  for (int depth = 0; depth < 8 && program.event(copy).kind != Event::Kind::kApi; ++depth) {
    Site next;
    for (int callee : program.callees(copy)) {
      for (int e = 0; e < static_cast<int>(program.function(callee).events.size()) && next.function < 0; ++e) {
        if (classes.copy_at({callee, e})) next = {callee, e};
      }
    }
    if (next.function < 0) break;
    inner.push_back(next);
    copy = next;
  }
  return copy;
}

// Whether a wait follows the (asynchronous) copy in the same function.
bool waits_after(const Program& program, Site copy) {
  const auto& events = program.function(copy.function).events;
  for (int e = copy.event + 1; e < static_cast<int>(events.size()); ++e) {
    const ApiFact* fact = program.api(events[e]);
    if (fact && events[e].kind == Event::Kind::kApi && waits(events[e], *fact)) return true;
  }
  return false;
}

// The rule that reports this copy; nullptr if the copy does not block the host.
const char* rule_for(const Program& program, const Located& where, Direction direction) {
  const ApiFact* fact = program.api(program.event(where.api));
  if (!fact || !fact->copy) return nullptr;
  if (waits(program.event(where.api), *fact) || waits_after(program, where.api)) return "blocking-copy-in-loop";
  const bool down = direction == Direction::kDeviceToHost;
  const Value* host = argument_value(program.event(where.api), down ? fact->copy->dst : fact->copy->src);
  if (!host || program.origins(*host, program.reading(where.api)).proved() != MemoryKind::kPageable) return nullptr;
  return "pageable-async-copy";
}

void report(const Program& program, const MirrorClasses& classes, const MirrorPair& pair, Reporter& reporter) {
  Located where = located_at(pair.reading, program.heat(pair.reading));
  const Heat writing = program.heat(pair.writing);
  if (!where.heat.hot || where.heat.dropped || writing.dropped) return;
  where.inner = pair.inner;
  where.only_by = pair.calls;
  where.api = api_below(program, classes, where.inner, pair.inner.empty() ? pair.reading : pair.inner.back());
  const char* rule = rule_for(program, where, pair.direction);
  if (!rule) return;
  where.heat.severity = std::min(where.heat.severity, writing.severity);
  if (pair.unsure) where.heat.severity = std::min(where.heat.severity, Severity::kMedium);
  const bool down = pair.direction == Direction::kDeviceToHost;
  const Event& writes = program.event(pair.writing);
  const std::string newer = std::string("the copy on the ") + (down ? "GPU" : "host") + " the newer one";
  Finding& finding = reporter.report(
      rule, program, where,
      "'" + program.event(where.at).callee.name + "' copies the data " + (down ? "from" : "to") + " the GPU (" +
          program.event(where.api).callee.name + ") and blocks the host until it is done, " + often(where.heat) +
          ": '" + writes.callee.name + "' on line " + std::to_string(writes.place.line) + " makes " + newer);
  finding.severity = std::min(finding.severity, where.heat.severity);
  if (pair.unsure) finding.level = std::max(finding.level, 1);
  const auto after_loop = finding.path.empty() ? finding.path.begin() : finding.path.begin() + 1;
  finding.path.insert(after_loop, {to_location(writes.place), "'" + writes.text + "' makes " + newer});
  reporter.use_fix_for(finding, "mirrored");
}

}  // namespace

void report_mirrored_memory(const Program& program, const MirrorClasses& classes, Reporter& reporter) {
  if (classes.empty()) return;
  MirrorRun run(program, classes);
  std::set<std::tuple<Site, Direction, std::vector<Site>>> reported;
  for (const auto& [function, region] : hot_loops(program, classes)) {
    for (const MirrorPair& pair : run.pairs(function, region)) {
      if (reported.emplace(pair.reading, pair.direction, pair.calls).second) report(program, classes, pair, reporter);
    }
  }
}

}  // namespace syncsniff::checks
