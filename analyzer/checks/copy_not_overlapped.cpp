// copy-not-overlapped: each step copies its batch on the stream of the kernels that use it, although the next batch
// could be copied earlier, since its address is known.
#include <algorithm>

#include "analyzer/checks/check.h"
#include "analyzer/checks/copies.h"
#include "analyzer/program/regions.h"

namespace syncsniff::checks {

namespace {

// The loop whose variable selects the copy's host memory, as in images + step * n; -1: none.
int loop_that_picks(const Program& program, const Located& copy, const Heat& heat) {
  const Event& event = program.event(copy.at);
  if (copy.at.function != heat.loop_function) return -1;
  const auto& f = program.function(copy.at.function);
  int picked = -1;
  for (int r = event.region; r >= 0; r = f.regions[r].parent) {
    if (f.regions[r].kind == Region::Kind::kLoop && program::varies_with(event, r) && picked < 0) picked = r;
  }
  return picked;
}

bool launches_on(const Event& event, const std::string& stream) {
  return event.kind == Event::Kind::kLaunch && event.stream.text == stream;
}

// The first launch on the copy's stream, if it comes after the copy and nothing was launched there earlier in the
// iteration.
const Event* work_after(const Program& program, const Located& copy, int loop) {
  const auto& f = program.function(copy.at.function);
  const std::string stream = program.event(copy.at).stream.text;
  const Event* first = nullptr;
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    const Event& event = f.events[e];
    if (!program.inside(f, event.region, loop)) continue;
    if (launches_on(event, stream)) {
      if (e < copy.at.event) return nullptr;
      if (!first) first = &event;
    } else if (program.effects_of({copy.at.function, e}).launches) {
      return nullptr;  // its stream is unknown
    }
  }
  return first;
}

}  // namespace

void copy_not_overlapped(const Program& program, Reporter& reporter) {
  const auto asynchronous = [](const Event& event, const ApiFact& fact) {
    return event.kind == Event::Kind::kApi && fact.copy && fact.stream_arg >= 0 && !waits(event, fact);
  };
  for (const Located& where : hot_calls(program, asynchronous)) {
    if (!where.inner.empty() || read_copy(program, where).direction != Direction::kHostToDevice) continue;
    const int loop = loop_that_picks(program, where, where.heat);
    const Event* work = loop < 0 ? nullptr : work_after(program, where, loop);
    if (!work) continue;
    Finding& finding = reporter.report("copy-not-overlapped", program, where,
                                       program.event(where.api).callee.name +
                                           " copies this step's batch on the stream whose kernels then use it: "
                                           "the GPU computes nothing during the copy, " +
                                           often(where.heat));
    finding.evidence.push_back({to_location(work->place), "the step's first GPU work waits for the copy"});
  }
}

}  // namespace syncsniff::checks
