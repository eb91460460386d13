#include "analyzer/checks/copy_stream.h"

#include <algorithm>
#include <set>

#include "analyzer/checks/behind_call.h"
#include "analyzer/checks/copies.h"
#include "analyzer/program/regions.h"

namespace syncsniff::checks {

namespace {

bool is_copy_to_device(const Program& program, Site site) {
  const ApiFact* fact = program.api(program.event(site));
  if (!fact || !fact->copy) return false;
  for (const Located& copy : locate(program, site)) {
    const Direction direction = read_copy(program, copy).direction;
    if (direction != Direction::kHostToDevice && direction != Direction::kUnknown) return false;
  }
  return true;
}

// All names of one stream: the variable, and the parameters to which it is passed.
struct Stream {
  std::set<std::string> nodes;
  bool escapes = false;  // it is passed to a function of unknown source
};
// Adds the parameters to which the call passes the stream.
void follow_arguments(const Program& program, Site call, Stream& stream) {
  const Event& event = program.event(call);
  for (size_t i = 0; i < event.args.size(); ++i) {
    if (!stream.nodes.count(event.args[i].node)) continue;
    stream.escapes |= program.callees(call).empty();
    for (int callee : program.callees(call)) {
      const auto& params = program.function(callee).params;
      if (i < params.size()) stream.nodes.insert("*" + params[i]);
    }
  }
}

Stream names_of(const Program& program, const std::string& variable) {
  Stream stream{{variable}};
  for (size_t known = 0; known != stream.nodes.size();) {
    known = stream.nodes.size();
    for (int f = 0; f < static_cast<int>(program.functions().size()); ++f) {
      const auto& events = program.function(f).events;
      for (int e = 0; e < static_cast<int>(events.size()); ++e) {
        if (events[e].kind != Event::Kind::kCall && events[e].kind != Event::Kind::kTensor) continue;
        follow_arguments(program, {f, e}, stream);
      }
    }
  }
  return stream;
}

// What the program enqueues on a stream.
struct Traffic {
  bool copies = false, other = false;
};
Traffic traffic_on(const Program& program, const Stream& stream) {
  Traffic traffic;
  traffic.other = stream.escapes;
  for (int f = 0; f < static_cast<int>(program.functions().size()); ++f) {
    const auto& events = program.function(f).events;
    for (int e = 0; e < static_cast<int>(events.size()); ++e) {
      if (!stream.nodes.count(events[e].stream.node)) continue;
      const ApiFact* fact = program.api(events[e]);
      if (fact && fact->copy)
        (is_copy_to_device(program, {f, e}) ? traffic.copies : traffic.other) = true;
      else
        traffic.other |= events[e].kind == Event::Kind::kLaunch || !fact || fact->launches_kernel;
    }
  }
  return traffic;
}

// Whether a copy is enqueued on the stream before `site`, in the same function and inside `region`.
bool copies_before(const Program& program, Site site, int region, const Stream& stream) {
  const auto& function = program.function(site.function);
  const auto copies = [&](Site call) {
    const ApiFact* fact = program.api(program.event(call));
    return fact && fact->copy && stream.nodes.count(program.event(call).stream.node) != 0;
  };
  for (int e = 0; e < site.event; ++e) {
    std::set<int> seen;
    if (program.inside(function, function.events[e].region, region) &&
        is_behind(program, {site.function, e}, copies, seen))
      return true;
  }
  return false;
}

}  // namespace

bool carries_copies_to_device_alone(const Program& program, const Located& where) {
  const Event& wait = program.event(where.api);
  const ApiFact* fact = program.api(wait);
  if (!fact || fact->waits_for != WaitsFor::kStream) return false;
  // A parameter may be a different stream at each call.
  if (wait.stream.node.empty() || wait.stream.node.find("p:") != std::string::npos) return false;
  const Traffic traffic = traffic_on(program, names_of(program, wait.stream.node));
  return traffic.copies && !traffic.other;
}

bool waits_for_prefetched_copies(const Program& program, const Located& where) {
  if (!carries_copies_to_device_alone(program, where)) return false;
  const Stream stream = names_of(program, program.event(where.api).stream.node);
  // From the wait up to the loop: this iteration must not have enqueued a copy on the stream before the wait.
  const auto enqueued_in_this_iteration = [&](Site site) {
    const bool in_loop = site.function == where.heat.loop_function;
    const int loop = program::innermost_loop(program.function(site.function), program.event(site).region);
    return copies_before(program, site, in_loop ? std::max(loop, 0) : 0, stream);
  };
  for (const Site& site : where.inner) {
    if (enqueued_in_this_iteration(site)) return false;
  }
  Site up = where.at;
  for (int steps = 0; up.function >= 0 && steps < 64; ++steps) {
    if (enqueued_in_this_iteration(up)) return false;
    if (up.function == where.heat.loop_function) return true;
    up = program.hotness().hottest_caller(up.function);
  }
  return false;
}

}  // namespace syncsniff::checks
