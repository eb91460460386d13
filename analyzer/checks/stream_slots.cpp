#include "analyzer/checks/stream_slots.h"

#include <algorithm>
#include <set>

#include "analyzer/checks/behind_call.h"
#include "analyzer/checks/copy_stream.h"
#include "analyzer/checks/earlier_step.h"

namespace syncsniff::checks {

namespace {

// The variable, field or array that holds a stream.
std::string holder_of(const std::string& stream_node) {
  return stream_node.rfind('*', 0) == 0 ? stream_node.substr(1) : stream_node;
}

// Whether std::swap(stream, other) inside the region gives the variable another stream in the next iteration.
bool is_swapped(const Program& program, int function, int region, const std::string& stream) {
  const auto& f = program.function(function);
  return std::any_of(f.events.begin(), f.events.end(), [&](const Event& event) {
    return event.callee.name == "std::swap" && program.inside(f, event.region, region) && event.args.size() == 2 &&
           (event.args[0].value.node == stream || event.args[1].value.node == stream);
  });
}

// Whether the event enqueues on the stream in this variable, field or array.
bool enqueues_on(const Program& program, Site site, const std::string& stream) {
  if (!program.effects_of(site).enqueues) return false;
  const Event& event = program.event(site);
  return holder_of(event.stream.node) == stream ||
         std::ranges::any_of(facts::values(event.args), [&](const Value& argument) { return argument.node == stream; });
}

// Where the calls of a region enqueue on the stream, relative to one of its events.
struct Uses {
  bool before = false;      // on the same element of the array, as far as the texts show
  bool after = false;       // on the same element
  bool other_slot = false;  // before it, on another element
};

Uses uses_around(const Program& program, Site site, int region, const std::string& stream, const std::string& waited) {
  Uses uses;
  const auto& f = program.function(site.function);
  const auto enqueues = [&](Site call) { return enqueues_on(program, call, stream); };
  for (int e = 0; e < static_cast<int>(f.events.size()); ++e) {
    std::set<int> seen;
    if (e == site.event || !program.inside(f, f.events[e].region, region) ||
        !is_behind(program, {site.function, e}, enqueues, seen))
      continue;
    const std::string& used = f.events[e].stream.text.str();
    const bool other = !used.empty() && !waited.empty() && is_another_slot(waited, used);
    if (e < site.event)
      (other ? uses.other_slot : uses.before) = true;
    else
      uses.after |= !other;
  }
  return uses;
}

}  // namespace

bool waits_for_other_slot(const Program& program, const Located& where) {
  const Event& wait = program.event(where.api);
  const ApiFact* fact = program.api(wait);
  const std::string stream = holder_of(wait.stream.node);
  if (!fact || fact->waits_for != WaitsFor::kStream || stream.empty() || stream.find("p:") != std::string::npos)
    return false;
  // The loop whose iterations use the streams in turn.
  int loop = where.heat.loop_region;
  if (!wait.loops.varies_with.empty())
    loop = *std::max_element(wait.loops.varies_with.begin(), wait.loops.varies_with.end());
  else if (!wait.stream.by_turns && !is_swapped(program, where.at.function, loop, stream))
    return false;
  const bool in_own_loop = !wait.loops.varies_with.empty() && where.api.function != where.heat.loop_function;
  Uses all;
  for (const Site& site : way_up(program, where)) {
    const bool here = site.function == (in_own_loop ? where.api.function : where.heat.loop_function);
    const std::string waited = site == where.api ? wait.stream.text.str() : "";
    const Uses uses = uses_around(program, site, here ? loop : 0, stream, waited);
    all.before |= uses.before;
    all.after |= uses.after;
    all.other_slot |= uses.other_slot;
    if (here) break;
  }
  return !all.before && (all.after || all.other_slot);
}

bool waits_for_upload_beside_kernels(const Program& program, const Located& where) {
  const Event& wait = program.event(where.api);
  const std::string stream = holder_of(wait.stream.node);
  if (!carries_copies_to_device_alone(program, where) || where.at.function != where.heat.loop_function) return false;
  const auto& f = program.function(where.at.function);
  for (int e = 0; e < where.at.event; ++e) {
    const Event& event = f.events[e];
    if (event.kind == Event::Kind::kLaunch && !event.stream.text.empty() && holder_of(event.stream.node) != stream &&
        program.inside(f, event.region, where.heat.loop_region) &&
        program.inside(f, program.event(where.at).region, event.region))
      return true;
  }
  return false;
}

}  // namespace syncsniff::checks
