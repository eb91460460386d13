// async-timing: a host clock is read before and after asynchronous GPU work, so the difference is only the time that
// the launches took.
#include <algorithm>
#include <set>

#include "analyzer/checks/timed_spans.h"
#include "analyzer/program/regions.h"

namespace syncsniff::checks {

namespace {

// What the program does between the two readings of the clock.
struct Timed {
  int work = -1;  // the last event that puts work on the GPU
  bool unclear = false;
};

bool records_event(const ApiFact* fact) {
  return fact && fact->event_arg != kNoArg && fact->waits_for != WaitsFor::kEvent && fact->blocks == Blocks::kNever;
}

// Whether the call may run code of unknown source, which may wait. Functions of the standard library do not wait for a
// GPU.
bool calls_out_of_sight(const Program& program, Site site, std::set<int>& seen) {
  const Event& event = program.event(site);
  if (event.kind != Event::Kind::kCall) return false;
  const auto& callees = program.callees(site);
  if (callees.empty()) return !event.callee.harmless && event.callee.id.find("@N@std@") == std::string::npos;
  for (int callee : callees) {
    if (!seen.insert(callee).second) continue;
    for (int e = 0; e < static_cast<int>(program.function(callee).events.size()); ++e) {
      if (calls_out_of_sight(program, {callee, e}, seen)) return true;
    }
  }
  return false;
}
bool calls_out_of_sight(const Program& program, Site site) {
  std::set<int> seen;
  return calls_out_of_sight(program, site, seen);
}

// What runs between the two readings. `unclear`: something in between may wait or records CUDA events, so the measured
// difference may be valid.
Timed look_between(const Program& program, const TimedSpan& span) {
  Timed timed;
  const auto& f = program.function(span.function);
  for (int e = span.from + 1; e < span.to; ++e) {
    if (program::is_off_or_once(f, f.events[e].region)) continue;
    const auto effects = program.effects_of({span.function, e});
    const ApiFact* fact = program.api(f.events[e]);
    timed.unclear |= effects.waits || records_event(fact) || (fact && !fact->capture.empty());
    if (puts_work(program, {span.function, e}))
      timed.work = e;
    else
      timed.unclear |= timed.work >= 0 && calls_out_of_sight(program, {span.function, e});
  }
  // stop() { cudaDeviceSynchronize(); end = now(); }: the function that reads the clock a second time also waits, or
  // does other work.
  const auto second = program.effects_of({span.function, span.to});
  timed.unclear |= second.waits || second.enqueues || calls_out_of_sight(program, {span.function, span.to});
  return timed;
}

// Whether the launch is timed separately from the kernel on purpose: launch; t1 = now(); wait; t2 = now(). The same
// holds if a CUDA event is recorded afterwards to time the kernel.
bool is_timed_to_its_end_too(const Program& program, const TimedSpan& span) {
  const auto& f = program.function(span.function);
  bool waited = false;
  for (int e = span.to + 1; e < static_cast<int>(f.events.size()); ++e) {
    const auto effects = program.effects_of({span.function, e});
    if (waited && reads_clock(program, {span.function, e})) return true;
    if (!waited && records_event(program.api(f.events[e]))) return true;
    if (effects.enqueues && !effects.waits) return false;
    waited |= effects.waits;
  }
  return false;
}

}  // namespace

void async_timing(const Program& program, Reporter& reporter) {
  for (const TimedSpan& span : timed_spans(program)) {
    if (span.by_events) continue;
    const Timed timed = look_between(program, span);
    if (timed.work < 0 || timed.unclear || is_timed_to_its_end_too(program, span)) continue;
    const auto& f = program.function(span.function);
    const Site second{span.function, span.to};
    if (program::is_off_or_once(f, f.events[span.to].region)) continue;
    Heat heat = program.heat(second);
    if (!heat.hot || heat.dropped) heat.severity = std::min(heat.severity, Severity::kMedium);
    const Event& work = f.events[timed.work];
    Finding& finding =
        reporter.report("async-timing", program, located_at(second, heat),
                        "the clock is read while the GPU may still be working: nothing waits for '" + work.callee.name +
                            "' before this reading, so the measured time is that of the launch alone");
    finding.evidence.push_back({to_location(f.events[span.from].place), "the measurement starts here"});
    finding.evidence.push_back({to_location(work.place), "returns as soon as the work is enqueued"});
  }
}

}  // namespace syncsniff::checks
