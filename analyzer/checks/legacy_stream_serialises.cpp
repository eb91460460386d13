// legacy-stream-serialises: work on the legacy default stream is enqueued between work on other streams, so none of it
// runs concurrently.
#include <algorithm>
#include <set>

#include "analyzer/checks/check.h"
#include "analyzer/program/regions.h"

namespace syncsniff::checks {

namespace {

// Streams made by cudaStreamCreate, which synchronise with the legacy stream, in the form of Event::stream_node.
std::set<std::string> blocking_streams(const Program& program) {
  std::set<std::string> blocking, others;
  for (const auto* f : program.functions()) {
    for (const Event& event : f->events) {
      const ApiFact* fact = program.api(event);
      if (!fact || fact->creates != "stream" || event.args.empty() || event.args[0].node.empty()) continue;
      const bool has_flags = fact->parameters.size() > 1;  // its flags may make it a non-blocking stream
      (has_flags ? others : blocking).insert("*" + event.args[0].node);
    }
  }
  for (const std::string& node : others) blocking.erase(node);
  return blocking;
}

const Event* launch_on_other(const Program& program, int function, int loop, const std::set<std::string>& streams) {
  const auto& f = program.function(function);
  for (const Event& event : f.events) {
    if (event.kind == Event::Kind::kLaunch && streams.count(event.stream.node) && program.inside(f, event.region, loop))
      return &event;
  }
  return nullptr;
}

}  // namespace

void legacy_stream_serialises(const Program& program, Reporter& reporter) {
  if (program.usage().per_thread_default_stream) return;
  const std::set<std::string> streams = blocking_streams(program);
  if (streams.empty()) return;
  for (int f = 0; f < static_cast<int>(program.functions().size()); ++f) {
    const auto& function = program.function(f);
    for (int e = 0; e < static_cast<int>(function.events.size()); ++e) {
      const Event& event = function.events[e];
      if (event.kind != Event::Kind::kLaunch || !event.stream.text.empty() || !event.stream.node.empty()) continue;
      const Located where = located_at({f, e}, program.heat(Site{f, e}));
      const int loop = program::outermost_loop(function, event.region);
      const Event* other = loop < 0 ? nullptr : launch_on_other(program, f, loop, streams);
      if (!other || !where.heat.hot || where.heat.dropped) continue;
      Finding& finding = reporter.report("legacy-stream-serialises", program, where,
                                         "'" + event.callee.name + "' runs on the legacy default stream: no work on '" +
                                             other->stream.text + "' runs concurrently with it, " + often(where.heat));
      finding.evidence.push_back(
          {to_location(other->place), "this launch and the work on the default stream wait for each other"});
    }
  }
}

}  // namespace syncsniff::checks
