// cold-timing: the timed GPU work runs for the first time, so the time includes loading its code and initialising its
// library.
#include <algorithm>
#include <map>

#include "analyzer/checks/timed_spans.h"
#include "analyzer/program/regions.h"

namespace syncsniff::checks {

namespace {

using Sites = std::map<std::string, std::vector<Site>>;  // by kernel or library routine: the sites that launch it

Sites launches_of(const Program& program) {
  Sites out;
  for (int f = 0; f < static_cast<int>(program.functions().size()); ++f) {
    const auto& events = program.function(f).events;
    for (int e = 0; e < static_cast<int>(events.size()); ++e) {
      const ApiFact* fact = program.api(events[e]);
      const bool launches = events[e].kind == Event::Kind::kLaunch || (fact && fact->launches_kernel);
      if (launches && !events[e].callee.id.empty()) out[events[e].callee.id].push_back({f, e});
    }
  }
  return out;
}

// Whether the function runs once: there is no loop around any call on the path to it.
bool runs_once(const Program& program, int function) {
  for (int steps = 0; steps < 16; ++steps) {
    const auto& callers = program.callers(function);
    if (callers.empty()) return true;
    if (callers.size() > 1) return false;
    if (program::innermost_loop(program.function(callers[0].function), program.event(callers[0]).region) >= 0)
      return false;
    function = callers[0].function;
  }
  return false;
}

}  // namespace

void cold_timing(const Program& program, Reporter& reporter) {
  const Sites launches = launches_of(program);
  for (const TimedSpan& span : timed_spans(program)) {
    const auto& f = program.function(span.function);
    if (program::innermost_loop(f, f.events[span.from].region) >= 0 || !runs_once(program, span.function)) continue;
    for (int e = span.from + 1; e < span.to; ++e) {
      const auto sites = launches.find(f.events[e].callee.id);
      // If it is launched repeatedly, the first launch is one of many and hardly affects the time.
      if (sites == launches.end() || sites->second.size() != 1 || program::innermost_loop(f, f.events[e].region) >= 0)
        continue;
      Heat heat = program.heat(Site{span.function, e});
      heat.severity = std::min(heat.severity, Severity::kMedium);
      Finding& finding =
          reporter.report("cold-timing", program, located_at({span.function, e}, heat),
                          "'" + f.events[e].callee.name +
                              "' runs for the first time while it is timed: loading its code is timed, too");
      finding.evidence.push_back({to_location(f.events[span.from].place), "the measurement starts here"});
      finding.evidence.push_back({to_location(f.events[span.to].place), "and ends here"});
      break;
    }
  }
}

}  // namespace syncsniff::checks
