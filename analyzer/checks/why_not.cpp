#include "analyzer/checks/why_not.h"

namespace syncsniff::checks {

namespace {

constexpr size_t kMostAnswers = 100;

bool concerns_the_gpu(const Program& program, Site site) {
  const ApiFact* fact = program.api(program.event(site));
  const auto effects = program.effects_of(site);
  return effects.enqueues || effects.waits || (fact && (fact->allocates != MemoryKind::kUnknown || fact->copy));
}

// Whether the call's code is in no unit and no table, so that it may wait without our knowing.
bool is_out_of_sight(const Program& program, Site site) {
  const Event& event = program.event(site);
  return event.kind == Event::Kind::kCall && !event.callee.harmless && program.callees(site).empty() &&
         program.effects_of(site).unknown;
}

void explain_heat(const Program& program, const Event& event, const Heat& heat, std::vector<PathStep>& out) {
  const std::string call = "'" + event.callee.name + "'";
  if (!heat.hot) {
    out.push_back({to_location(event.place), call + " is in no loop that launches GPU work and is not called from one: "
                                                    "it counts as set-up or teardown"});
  } else {
    const auto& function = program.function(heat.loop_function);
    const std::string where =
        heat.called ? "each call of '" + *heat.called + "'" : "this loop in '" + function.name + "'";
    const std::string reached = heat.dropped ? " is reached from " : heat.called ? " runs at " : " runs in ";
    out.push_back({to_location(function.regions[heat.loop_region].place),
                   call + reached + where + (heat.dropped ? "" : ", as " + std::string(to_string(heat.severity)))});
  }
  for (const frequency::Reason& reason : heat.reasons()) {
    const bool withholds = reason.most == Severity::kInfo;
    out.push_back({to_location(reason.place),
                   (withholds ? "withheld: " : "lowered to " + std::string(to_string(reason.most)) + ": ") +
                       reason.what + " (by " + frequency::to_string(reason.evidence) + ")"});
  }
}

}  // namespace

std::vector<PathStep> why_not(const Program& program, const RequestedLine& requested_line) {
  std::vector<PathStep> out;
  for (int f = 0; f < static_cast<int>(program.functions().size()); ++f) {
    const auto& events = program.function(f).events;
    for (int e = 0; e < static_cast<int>(events.size()) && out.size() < kMostAnswers; ++e) {
      if (requested_line.covers(events[e].place) && concerns_the_gpu(program, {f, e}))
        explain_heat(program, events[e], program.heat({f, e}), out);
      else if (requested_line.covers(events[e].place) && is_out_of_sight(program, {f, e}))
        out.push_back({to_location(events[e].place), "the code of '" + events[e].callee.name +
                                                         "' was not read: whether it waits for the GPU is not "
                                                         "known (api-facts in .syncsniff.yaml can say so)"});
    }
  }
  return out;
}

}  // namespace syncsniff::checks
